#include "views/common/theme.h"

#include "views/common/calm_style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QPointer>
#include <QStyle>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewright::views {

namespace {

struct TokenColors {
    Token token;
    char const *light, *dark, *contrast;
};

// The one table of colours. Light values stand on a white panel with 3:1 or better, dark ones on #1C222A; texts have 4.5:1.
// High contrast: black ground, light colours, told apart by patterns.
constexpr TokenColors kColors[] = {
    {Token::Window, "#F5F6F8", "#15191F", "#000000"},
    {Token::Panel, "#FFFFFF", "#1C222A", "#000000"},
    {Token::Raised, "#FBFCFD", "#232B35", "#101010"},
    {Token::Border, "#D8DEE6", "#323C48", "#FFFFFF"},
    {Token::Grid, "#E7EBF0", "#2A323D", "#5A5A5A"},
    {Token::Text, "#18212C", "#E7ECF2", "#FFFFFF"},
    {Token::SecondaryText, "#566273", "#9AA7B7", "#E6E6E6"},
    {Token::Accent, "#C4532F", "#F0835C", "#FFB000"},
    {Token::AccentText, "#FFFFFF", "#15191F", "#000000"},
    {Token::Good, "#2C8A5B", "#4CC38A", "#5CFF9D"},
    {Token::Warning, "#B7791F", "#E8B04B", "#FFD24A"},
    {Token::Bad, "#C0392B", "#F2766B", "#FF7A6B"},
    {Token::Compute, "#2B8C86", "#4CB8B0", "#4FE0D6"},
    {Token::InternalExchange, "#B97A12", "#E0A94A", "#FFC04D"},
    {Token::GlobalExchange, "#7A4A12", "#B0794A", "#C08A5A"},
    {Token::Stream, "#7660C4", "#A896EE", "#C0B0FF"},
    {Token::Sync, "#7C8997", "#93A0AF", "#C8C8C8"},
    {Token::Idle, "#C9D1DA", "#39434F", "#4A4A4A"},
    {Token::ExchangeOut, "#3F6E8C", "#86B8D6", "#9AD4FF"},
    {Token::Forward, "#3B78D0", "#6BA2F0", "#7AB4FF"},
    {Token::Recompute, "#6492D6", "#93BAF2", "#B4D6FF"},
    {Token::Backward, "#8D58CC", "#B98BEF", "#D3A8FF"},
    {Token::Update, "#35905E", "#5CC08B", "#6CE8A4"},
    {Token::Weights, "#2F5FA8", "#6E9BE0", "#7FB0FF"},
    {Token::OptimizerState, "#5B8BD6", "#9CBFF5", "#B8D6FF"},
    {Token::Activations, "#2F8F82", "#52BFAF", "#5CE6D2"},
    {Token::Gradients, "#8D58CC", "#B58AE8", "#D0A6FF"},
    {Token::Accumulators, "#A078D6", "#CDB2F5", "#E6D2FF"},
    {Token::Code, "#7A8B3A", "#B4C66C", "#D6EC80"},
    {Token::ExchangeCode, "#A2881F", "#D9BE55", "#FFE36B"},
    {Token::Control, "#9C6B3F", "#D2A077", "#F0B98A"},
    {Token::VertexState, "#5E8C61", "#8FC293", "#A8E6AD"},
    {Token::Buffers, "#B37645", "#E2A878", "#FFBF8A"},
    {Token::Stack, "#8A8F98", "#A9AFB8", "#D0D0D0"},
    {Token::FamilyInput, "#566273", "#9AA7B7", "#D0D0D0"},
    {Token::FamilyCore, "#2F5FA8", "#6E9BE0", "#7FB0FF"},
    {Token::FamilyActivation, "#2F8F82", "#52BFAF", "#5CE6D2"},
    {Token::FamilyRegularization, "#A2881F", "#D9BE55", "#FFE36B"},
    {Token::FamilyMerge, "#8D58CC", "#B58AE8", "#D0A6FF"},
    {Token::FamilyConvolution, "#1B7A4B", "#4CC38A", "#5CE69A"},
    {Token::FamilyPooling, "#6F8421", "#B5CC5A", "#D6F06A"},
    {Token::FamilyNormalization, "#A8327D", "#E57BBF", "#FF9AD8"},
    {Token::FamilyRecurrent, "#7A4A12", "#C79A5B", "#E0B070"},
    {Token::FamilyAttention, "#0F7FA8", "#4FC3EE", "#6ADCFF"},
    {Token::FamilyOther, "#B37645", "#E2A878", "#FFBF8A"},
};
static_assert(std::size(kColors) == static_cast<std::size_t>(kTokens), "every token has its colours");

double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double luminance(QColor const &c) { return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF()); }

QColor mix(QColor const &a, QColor const &b, double t)
{
    return QColor::fromRgbF(static_cast<float>(a.redF() + (b.redF() - a.redF()) * t),
                            static_cast<float>(a.greenF() + (b.greenF() - a.greenF()) * t),
                            static_cast<float>(a.blueF() + (b.blueF() - a.blueF()) * t));
}

template <std::size_t N> QColor onScale(std::array<QColor, N> const &stops, double share)
{
    double const at = std::clamp(std::isnan(share) ? 0.0 : share, 0.0, 1.0) * static_cast<double>(N - 1);
    auto const i = std::min(static_cast<std::size_t>(at), N - 2);
    return mix(stops[i], stops[i + 1], at - static_cast<double>(i));
}

Theme &currentTheme()
{
    static Theme current = makeTheme(ThemeKind::Light);
    return current;
}

QString styleSheet(Theme const &t)
{
    auto const name = [&](Token token) { return t[token].name(); };
    QString css = QStringLiteral(
        "QToolTip { background: %raised; color: %text; border: 1px solid %border; padding: 4px; }"
        "QMainWindow::separator { background: %window; width: 5px; height: 5px; }"
        "QMainWindow::separator:hover { background: %accent; }"
        "QDockWidget { color: %text; }"
        "QToolBar { background: %panel; border: 0; border-bottom: 1px solid %border; spacing: 4px; padding: 4px 8px; }"
        "QStatusBar { background: %panel; border-top: 1px solid %border; }"
        "QStatusBar::item { border: 0; }"
        "QMenuBar { background: %panel; }"
        "QMenuBar::item { padding: 4px 8px; background: transparent; }"
        "QMenuBar::item:selected { background: %raised; }"
        "QHeaderView::section { background: %raised; color: %second; border: 0; border-right: 1px solid %border; border-bottom: 1px solid "
        "%border; padding: 4px 6px; }"
        "QTreeView, QListView, QTableView, QPlainTextEdit, QTextBrowser { border: 1px solid %border; border-radius: 3px; background: "
        "%panel; }"
        "QAbstractItemView { selection-background-color: %select; selection-color: %text; }"
        "QTreeView::item, QListView::item { min-height: 22px; }"
        "QTabBar::tab { background: transparent; color: %second; padding: 5px 12px; border: 0; border-bottom: 2px solid transparent; }"
        "QTabBar::tab:selected { color: %text; border-bottom: 2px solid %second; background: %panel; }"
        "QTabBar::tab:hover:!selected { color: %text; background: %raised; }"
        "QTabBar::tab:focus { color: %accent; }"
        "QTabBar::scroller { width: 44px; }"
        "QTabBar QToolButton { padding: 0; border-radius: 0; border: 1px solid %border; background: %panel; }"
        "QTabWidget::pane { border: 1px solid %border; border-radius: 3px; top: -1px; }"
        "QToolButton { border: 1px solid transparent; border-radius: 4px; padding: 3px 6px; }"
        "QToolButton:hover { background: %raised; border-color: %border; }"
        "QToolButton:checked { background: %window; border-color: %second; }"
        // Words that one presses are no labels: a border; what is on is filled and underlined, also while it has the keyboard.
        "QToolButton[role=\"word\"] { background: %raised; border: 1px solid %line; }"
        "QToolButton[role=\"word\"]:hover { border-color: %second; }"
        "QToolButton[role=\"word\"]:checked { background: %on; color: %text; border: 1px solid %second; border-bottom: 2px solid %text; "
        "padding-bottom: 2px; }"
        "QToolButton[role=\"word\"]:disabled { background: transparent; border-color: %border; }"
        "QToolButton[role=\"word\"]:focus { border-color: %accent; }"
        "QToolButton:focus { border-color: %accent; }"
        "QPushButton { border: 1px solid %border; border-radius: 4px; padding: 5px 14px; background: %raised; }"
        "QPushButton[role=\"card\"] { text-align: left; padding: 0; border-radius: 6px; background: %panel; }"
        "QPushButton:hover { border-color: %second; }"
        "QPushButton:focus { border-color: %accent; }"
        "QPushButton:default { background: %accent; color: %accenttext; border-color: %accent; }"
        "QPushButton:disabled, QToolButton:disabled { color: %disabled; }"
        "QLineEdit, QAbstractSpinBox, QComboBox { border: 1px solid %border; border-radius: 4px; padding: 3px 6px; background: %panel; "
        "selection-background-color: %accent; }"
        "QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus { border-color: %accent; }"
        "QComboBox, QComboBox QAbstractItemView { selection-background-color: %select; selection-color: %text; }" // of the list that it
                                                                                                                  // opens
        "QComboBox::drop-down { border: 0; width: 18px; }"
        "QComboBox::down-arrow { image: url(:/icons/chevron-down%arrow.svg); width: 10px; height: 10px; }"
        "QAbstractSpinBox::up-button, QAbstractSpinBox::down-button { border: 0; background: transparent; width: 16px; }"
        "QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: %window; }"
        "QAbstractSpinBox::up-arrow { image: url(:/icons/chevron-up%arrow.svg); width: 8px; height: 8px; }"
        "QAbstractSpinBox::down-arrow { image: url(:/icons/chevron-down%arrow.svg); width: 8px; height: 8px; }"
        "QProgressBar { border: 1px solid %border; border-radius: 4px; background: %window; text-align: center; min-height: 14px; }"
        "QProgressBar::chunk { background: %done; border-radius: 3px; }"
        "QLabel[role=\"headline\"] { font-weight: 600; }"
        "QLabel[role=\"secondary\"] { color: %second; }"
        "QFrame[role=\"modes\"] { background: %panel; border: 0; border-right: 1px solid %border; }"
        "QFrame[role=\"modes\"] QToolButton { border: 1px solid transparent; border-left: 3px solid transparent; border-radius: 0; "
        "padding: 5px 5px 4px 3px; color: %second; }"
        "QFrame[role=\"modes\"] QToolButton:hover { background: %raised; color: %text; }"
        "QFrame[role=\"modes\"] QToolButton:checked { background: %select; border-color: %select; border-left-color: %accent; color: "
        "%text; }"
        "QFrame[role=\"modes\"] QToolButton[byKey=\"true\"]:focus { border-color: %accent; }"
        "QFrame[role=\"strip\"] { background: %panel; border: 0; border-top: 1px solid %border; }"
        "QFrame[role=\"strip\"]:hover { background: %raised; }"
        "QFrame[role=\"message\"] { background: %raised; border: 0; border-top: 1px solid %border; }"
        "QFrame[role=\"banner\"] { background: %raised; border: 1px solid %border; border-left: 3px solid %second; border-radius: 3px; }"
        "QFrame[role=\"card\"] { background: %panel; border: 1px solid %border; border-radius: 6px; }"
        "QScrollArea { border: 0; background: transparent; }"
        // Slim and without arrows: what moves a page is quieter than the page.
        "QScrollBar { background: transparent; border: 0; margin: 0; }"
        "QScrollBar:vertical { width: 12px; }"
        "QScrollBar:horizontal { height: 12px; }"
        "QScrollBar::handle { background: %thumb; border-radius: 3px; margin: 3px; }"
        "QScrollBar::handle:vertical { min-height: 28px; }"
        "QScrollBar::handle:horizontal { min-width: 28px; }"
        "QScrollBar::handle:hover, QScrollBar::handle:pressed { background: %second; }"
        "QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }"
        "QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }"
        "QCheckBox::indicator, QTreeView::indicator, QListView::indicator, QGroupBox::indicator {"
        " width: 14px; height: 14px; border: 1px solid %second; border-radius: 3px; background: %panel; }"
        "QCheckBox::indicator:checked, QTreeView::indicator:checked, QListView::indicator:checked, QGroupBox::indicator:checked {"
        " background: %second; border-color: %second; image: url(:/icons/check.svg); }"
        "QCheckBox::indicator:disabled { border-color: %border; }"
        "QCheckBox:focus { color: %accent; }"
        "QSplitter::handle { background: %window; }");
    auto disabled = mix(t[Token::SecondaryText], t[Token::Panel], 0.45);
    std::pair<char const *, QString> const words[] = {{"%window", name(Token::Window)},
                                                      {"%panel", name(Token::Panel)},
                                                      {"%raised", name(Token::Raised)},
                                                      {"%border", name(Token::Border)},
                                                      {"%text", name(Token::Text)},
                                                      {"%second", name(Token::SecondaryText)},
                                                      {"%accenttext", name(Token::AccentText)},
                                                      {"%accent", name(Token::Accent)},
                                                      {"%select", mix(t[Token::Panel], t[Token::Accent], 0.12).name()},
                                                      {"%disabled", disabled.name()},
                                                      {"%on", mix(t[Token::Panel], t[Token::SecondaryText], 0.22).name()},
                                                      {"%line", mix(t[Token::Border], t[Token::SecondaryText], 0.5).name()},
                                                      {"%done", mix(t[Token::Panel], t[Token::Forward], 0.55).name()},         // under text
                                                      {"%thumb", mix(t[Token::Window], t[Token::SecondaryText], 0.65).name()}, // 3:1
                                                      {"%arrow", t.isDark() ? QStringLiteral("-on-dark") : QString()}};
    for (auto const &[word, value] : words) css.replace(QLatin1String(word), value);
    return css;
}

} // namespace

Theme makeTheme(ThemeKind kind)
{
    Theme t;
    t.kind = kind;
    for (auto const &row : kColors)
        t.colors[static_cast<std::size_t>(row.token)] = QColor(QLatin1String(kind == ThemeKind::Light      ? row.light
                                                                                 : kind == ThemeKind::Dark ? row.dark
                                                                                                           : row.contrast));
    return t;
}

QColor Theme::sequential(double share) const
{
    // From the ground's side to the far side in even steps of lightness: little is near the ground.
    static std::array<QColor, 5> const onDark{QColor("#1B2A49"), QColor("#1F5C83"), QColor("#2B8C86"), QColor("#8CB85C"),
                                              QColor("#F6E27A")};
    static std::array<QColor, 5> const onLight{QColor("#F3EDC2"), QColor("#A9CBA0"), QColor("#4FA296"), QColor("#2A6A8C"),
                                               QColor("#1B2A5A")};
    return isDark() ? onScale(onDark, share) : onScale(onLight, share);
}

QColor Theme::diverging(double share) const
{
    static std::array<QColor, 5> const onLight{QColor("#1F5FA8"), QColor("#8FB4DC"), QColor("#EDEFF2"), QColor("#E9B47C"),
                                               QColor("#B85C12")};
    static std::array<QColor, 5> const onDark{QColor("#7DB4F5"), QColor("#3D6796"), QColor("#2A323D"), QColor("#8F5E2A"),
                                              QColor("#F2A65A")};
    double const t = (std::clamp(std::isnan(share) ? 0.0 : share, -1.0, 1.0) + 1) / 2;
    return isDark() ? onScale(onDark, t) : onScale(onLight, t);
}

Theme const &theme() { return currentTheme(); }

ThemeKind systemTheme()
{
    static QPalette const first = QApplication::palette(); // before a theme of ours is applied
    return first.color(QPalette::Window).lightness() < first.color(QPalette::WindowText).lightness() ? ThemeKind::Dark : ThemeKind::Light;
}

void applyTheme(QApplication &application, ThemeKind kind)
{
    (void)systemTheme();
    // Taken away first: another sheet in place of one is matched against every widget several times over. Of a window with 1,860
    // widgets both together take 0.2 to 0.4 s, the other 1.5 to 2.
    application.setStyleSheet({});
    currentTheme() = makeTheme(kind);
    auto const &t = currentTheme();
    static QPointer<QStyle> ours;
    if (!ours) QApplication::setStyle(ours = new CalmStyle);
    static QFont const plain = QApplication::font();
    if (double const size = plain.pointSizeF() * textScale(); size > 0 && std::abs(size - QApplication::font().pointSizeF()) > 0.01) {
        QFont font = plain;
        font.setPointSizeF(size);
        QApplication::setFont(font);
    }
    QPalette p;
    auto const disabled = mix(t[Token::SecondaryText], t[Token::Panel], 0.45);
    p.setColor(QPalette::Window, t[Token::Window]);
    p.setColor(QPalette::WindowText, t[Token::Text]);
    p.setColor(QPalette::Base, t[Token::Panel]);
    p.setColor(QPalette::AlternateBase, t[Token::Raised]);
    p.setColor(QPalette::Text, t[Token::Text]);
    p.setColor(QPalette::Button, t[Token::Raised]);
    p.setColor(QPalette::ButtonText, t[Token::Text]);
    p.setColor(QPalette::BrightText, t[Token::Bad]);
    p.setColor(QPalette::ToolTipBase, t[Token::Raised]);
    p.setColor(QPalette::ToolTipText, t[Token::Text]);
    p.setColor(QPalette::PlaceholderText, t[Token::SecondaryText]);
    p.setColor(QPalette::Highlight, t[Token::Accent]);
    p.setColor(QPalette::HighlightedText, t[Token::AccentText]);
    QColor const link = mix(t[Token::Text], t[Token::Weights], 0.7); // near the text: a page may have dozens of links
    p.setColor(QPalette::Link, link);
    p.setColor(QPalette::LinkVisited, link);
    p.setColor(QPalette::Light, t[Token::Raised]);
    p.setColor(QPalette::Midlight, t[Token::Grid]);
    p.setColor(QPalette::Mid, t[Token::Border]);
    p.setColor(QPalette::Dark, t[Token::Border].darker(130));
    p.setColor(QPalette::Shadow, QColor(Qt::black));
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) p.setColor(QPalette::Disabled, role, disabled);
    QApplication::setPalette(p);
    QToolTip::setPalette(p);
    // Lists and menus: the selection is a light ground, the text stays as it is.
    QPalette lists = p;
    lists.setColor(QPalette::Highlight, mix(t[Token::Panel], t[Token::Accent], 0.12));
    lists.setColor(QPalette::HighlightedText, t[Token::Text]);
    for (char const *name : {"QAbstractItemView", "QMenu", "QMenuBar"}) QApplication::setPalette(lists, name);
    QPalette values = p; // where a slider stands is a value, no selection
    values.setColor(QPalette::Highlight, t[Token::SecondaryText]);
    QApplication::setPalette(values, "QSlider");
    application.setStyleSheet(styleSheet(t));
}

Token phaseToken(std::string_view phase)
{
    if (phase == "compute") return Token::Compute;
    if (phase == "internal_exchange") return Token::InternalExchange;
    if (phase == "global_exchange") return Token::GlobalExchange;
    if (phase == "stream" || phase == "host") return Token::Stream;
    if (phase == "sync") return Token::Sync;
    return Token::Idle;
}

Token passToken(std::string_view pass)
{
    if (pass == "forward") return Token::Forward;
    if (pass == "recompute") return Token::Recompute;
    if (pass == "backward") return Token::Backward;
    if (pass == "update") return Token::Update;
    return Token::Idle;
}

Token roleToken(std::string_view role)
{
    if (role == "weight" || role == "constant") return Token::Weights;
    if (role == "optimizer_state") return Token::OptimizerState;
    if (role == "activation" || role == "input" || role == "output") return Token::Activations;
    if (role == "gradient") return Token::Gradients;
    if (role == "accumulator") return Token::Accumulators;
    if (role == "partial" || role == "temporary" || role == "message") return Token::Buffers;
    return Token::Stack;
}

Token categoryToken(std::string_view category)
{
    if (category == "variable" || category == "output") return Token::Activations;
    if (category == "constant") return Token::Weights;
    if (category == "vertex_code" || category == "shared_code") return Token::Code;
    if (category == "vertex_state" || category == "vertex_fields" || category == "copy_descriptor" || category == "vector_list_descriptor")
        return Token::VertexState;
    if (category.find("exchange_code") != std::string_view::npos) return Token::ExchangeCode;
    if (category.starts_with("control")) return Token::Control;
    if (category == "stack" || category == "instrumentation") return Token::Stack;
    return Token::Buffers;
}

QBrush phaseBrush(Token token, bool zoomedIn)
{
    QColor const color = theme()[token];
    if (!zoomedIn && theme().kind != ThemeKind::HighContrast) return color;
    switch (token) {
    case Token::InternalExchange: return QBrush(color, Qt::BDiagPattern);
    case Token::GlobalExchange: return QBrush(color, Qt::DiagCrossPattern);
    case Token::Stream: return QBrush(color, Qt::Dense4Pattern);
    case Token::Idle: return QBrush(color, Qt::FDiagPattern);
    default: return color;
    }
}

double contrastRatio(QColor const &a, QColor const &b)
{
    double const la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

QColor textOn(QColor const &ground)
{
    QColor const black("#101418"), white("#FFFFFF");
    return contrastRatio(ground, black) >= contrastRatio(ground, white) ? black : white;
}

QFont uiFont(TextSize size)
{
    QFont font = QApplication::font();
    double const base = font.pointSizeF() > 0 ? font.pointSizeF() : 10.0;
    if (size == TextSize::Caption) font.setPointSizeF(base * 0.88);
    if (size == TextSize::Headline) {
        font.setPointSizeF(base * 1.15);
        font.setWeight(QFont::DemiBold);
    }
    return font;
}

QFont monoFont(TextSize size)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(uiFont(size).pointSizeF());
    return font;
}

int fieldHeight() { return std::max(kRowHeight + kGrid / 2, QFontMetrics(uiFont(TextSize::Body)).height() + 2 * kGrid); }

} // namespace tilewright::views
