#include "app/gui/start_page.h"

#include "app/gui/model_picture.h"
#include "app/gui/settings.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/common/short_text.h"
#include "views/diagnostics/registry_text.h"
#include "views/document/document.h"
#include "views/modeledit/model_graph.h"
#include "views/session/session.h"

#include "engine/model/templates.h"

#include <QBoxLayout>
#include <QDateTime>
#include <QEvent>
#include <QKeyEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <map>
#include <tuple>

namespace tilewright::app {

using namespace views;

namespace {

constexpr int kMostOrphans = 12; ///< of projects that were never saved; the newest

/// A card that is a button: picture, title, a sentence. Enter presses it, as Space does.
class Card : public QPushButton {
protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) click();
        else QPushButton::keyPressEvent(event);
    }

public:
    Card(QPixmap const &pixmap, QString const &title, QString const &text, QWidget *parent) : QPushButton(parent)
    {
        int const pictureSize = static_cast<int>(pixmap.width() / pixmap.devicePixelRatio());
        setAccessibleName(title);
        setAccessibleDescription(text);
        setCursor(Qt::PointingHandCursor);
        setProperty("role", "card");
        auto *picture = new QLabel(this);
        picture->setPixmap(pixmap);
        picture->setFixedWidth(pictureSize);
        auto *name = new QLabel(title, this);
        QFont bold = uiFont(TextSize::Body);
        bold.setWeight(QFont::DemiBold);
        name->setFont(bold);
        name->setWordWrap(true);
        auto *words = new QLabel(text, this);
        words->setWordWrap(true);
        words->setProperty("role", "secondary");
        auto *column = new QVBoxLayout;
        column->setSpacing(2);
        column->addWidget(name);
        if (!text.isEmpty()) column->addWidget(words);
        column->addStretch();
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(12, 10, 12, 10);
        row->setSpacing(12);
        row->addWidget(picture, 0, Qt::AlignTop);
        row->addLayout(column, 1);
        for (auto *label : {picture, name, words}) label->setAttribute(Qt::WA_TransparentForMouseEvents);
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return std::max(56, layout()->totalHeightForWidth(width)); }
    QSize sizeHint() const override { return {280, heightForWidth(280)}; }
    QSize minimumSizeHint() const override { return {180, 56}; }
};

QPixmap picture(QString const &iconName, int size) { return views::icon(iconName, Token::SecondaryText).pixmap(size); }

/// A template as it would be opened, found once.
struct TemplateFacts {
    project::Project project;
    QString size, fit;
};

TemplateFacts const &factsOf(std::string const &name)
{
    static std::map<std::string, TemplateFacts> known;
    auto const [it, fresh] = known.try_emplace(name);
    if (!fresh) return it->second;
    auto &facts = it->second;
    auto project = project::fromTemplate(name);
    if (!project.ok()) return facts;
    facts.project = std::move(*project);
    auto const graph = modelGraph(facts.project);
    facts.size = StartPage::tr("%n layer(s)", nullptr, static_cast<int>(graph.layers.size())) + QStringLiteral(" · ")
        + StartPage::tr("%1 parameter(s)", nullptr, pluralOf(graph.parameters)).arg(shortCount(static_cast<double>(graph.parameters)));
    auto const estimate = Session::estimateFit(facts.project, {});
    if (!estimate.known) return facts;
    // How full its tiles are only a compile knows: the estimate is good for whether it fits, and says that it is one.
    QString const where = StartPage::tr("%n IPU(s)", nullptr, static_cast<int>(std::max<std::size_t>(1, estimate.ipus.size())));
    facts.fit = estimate.fits ? StartPage::tr("fits %1 (estimated)").arg(where) : StartPage::tr("does not fit %1 (estimated)").arg(where);
    return facts;
}

QLabel *heading(QString const &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setFont(uiFont(TextSize::Headline));
    return label;
}

} // namespace

StartPage::StartPage(QWidget *parent) : QScrollArea(parent)
{
    setWidgetResizable(true);
    setAccessibleName(tr("Start page"));
    build();
}

void StartPage::refresh() { build(); }

void StartPage::changeEvent(QEvent *event)
{
    QScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        QMetaObject::invokeMethod(
            this, [this] { build(); }, Qt::QueuedConnection);
}

void StartPage::build()
{
    for (auto &cards : m_cards) cards.clear();
    auto *body = new QWidget(this);
    auto *outer = new QHBoxLayout(body);
    outer->setContentsMargins(24, 24, 24, 24);
    outer->addStretch(1);
    auto *page = new QWidget(body);
    page->setMaximumWidth(1040);
    outer->addWidget(page, 20);
    outer->addStretch(1);
    auto *all = new QVBoxLayout(page);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(12);

    auto *logo = new QLabel(page);
    logo->setPixmap(QIcon(QStringLiteral(":/app/tilewright.svg")).pixmap(56));
    auto *name = new QLabel(tr("<b style='font-size:x-large'>Tilewright</b><br>Build a model, compile it onto tiles, train it, and see "
                               "where every byte and cycle goes."),
                            page);
    name->setWordWrap(true);
    auto *openButton = new QPushButton(icon(QStringLiteral("open")), tr("Open a project or report …"), page);
    connect(openButton, &QPushButton::clicked, this, &StartPage::openRequested);
    auto *head = new QHBoxLayout;
    head->addWidget(logo);
    head->addSpacing(8);
    head->addWidget(name, 1);
    head->addWidget(openButton, 0, Qt::AlignVCenter);
    all->addLayout(head);

    addRecoveries(*all, *page);

    all->addSpacing(8);
    all->addWidget(heading(tr("New project"), page));
    auto *templates = new QGridLayout;
    templates->setSpacing(12);
    int at = 0;
    constexpr QSize kPicture{96, 56};
    auto *empty = new Card(modelPicture({}, kPicture, devicePixelRatioF()), tr("Empty project"),
                           tr("A canvas to build on: type “input 28 28”, then “dense 10 softmax”."), page);
    connect(empty, &QPushButton::clicked, this, [this] { emit templateChosen({}); });
    templates->addWidget(empty, at / 2, at % 2);
    m_cards[0] << empty;
    ++at;
    for (auto const &entry : model::modelTemplates()) {
        if (entry.name == model::kEmptyTemplate) continue; // the card above
        QString const id = QString::fromStdString(entry.name);
        auto const &facts = factsOf(entry.name);
        QStringList words{registryText(entry.description), facts.size};
        if (!facts.fit.isEmpty()) words.last() += QStringLiteral(" · ") + facts.fit;
        auto *card = new Card(modelPicture(facts.project, kPicture, devicePixelRatioF()), registryText(entry.title),
                              words.join(QLatin1Char('\n')), page);
        connect(card, &QPushButton::clicked, this, [this, id] { emit templateChosen(id); });
        templates->addWidget(card, at / 2, at % 2);
        m_cards[0] << card;
        ++at;
    }
    templates->setColumnStretch(0, 1);
    templates->setColumnStretch(1, 1);
    all->addLayout(templates);

    // Two columns of one grid: as wide as each other, and rows in line.
    auto *columns = new QGridLayout;
    columns->setHorizontalSpacing(12);
    columns->setVerticalSpacing(8);
    columns->setColumnStretch(0, 1);
    columns->setColumnStretch(1, 1);
    columns->addWidget(heading(tr("Recent"), page), 0, 0);
    columns->addWidget(heading(tr("Lessons"), page), 0, 1);
    int shown = 0;
    for (auto const &path : settings::recentFiles()) {
        if (++shown > 6) break;
        QFileInfo const file(path);
        bool const there = file.exists();
        constexpr int kSmall = 32; // as high as a card of a lesson
        QPixmap kept = keptPicture(path);
        if (kept.isNull())
            kept = picture(path.endsWith(QLatin1String(".twreport")) ? QStringLiteral("report") : QStringLiteral("project"), 24);
        else kept = kept.scaledToHeight(static_cast<int>(kSmall * kept.devicePixelRatio()), Qt::SmoothTransformation);
        QString where = there ? file.path() : tr("missing: %1").arg(file.path());
        // Opening it asks whether to recover them.
        if (auto const changed = there ? Document::recoveryTime(path) : QDateTime(); changed.isValid())
            where = tr("Unsaved changes of %1 · %2").arg(whenText(changed), where);
        auto *card = new Card(kept, file.fileName(), where, page);
        card->setEnabled(there);
        card->layout()->setContentsMargins(12, 10, 40, 10); // room for the button
        connect(card, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
        auto *forget = new QToolButton(page);
        forget->setIcon(icon(QStringLiteral("close"), Token::SecondaryText));
        forget->setAutoRaise(true);
        forget->setToolTip(tr("Remove from the list"));
        forget->setAccessibleName(tr("Remove %1 from the list").arg(file.fileName()));
        connect(forget, &QToolButton::clicked, this, [this, path] {
            settings::removeRecent(path);
            QMetaObject::invokeMethod(
                this, [this] { build(); }, Qt::QueuedConnection);
        });
        // On the card, at its end: cards keep the width of their column.
        columns->addWidget(card, shown, 0);
        columns->addWidget(forget, shown, 0, Qt::AlignRight | Qt::AlignVCenter);
        m_cards[1] << card;
    }
    if (shown == 0) {
        auto *none = new QLabel(tr("Projects and reports that you open are listed here. You can also drop files on the window."), page);
        none->setWordWrap(true);
        none->setProperty("role", "secondary");
        columns->addWidget(none, 1, 0, Qt::AlignTop);
    }
    int line = 0;
    std::tuple<char const *, QString, QString> const list[] = {
        {"lesson-mnist", tr("MNIST in five minutes"), tr("From a template to a trained model, and what it costs on tiles.")},
        {"lesson-memory", tr("Reading the memory report"), tr("What fills a tile, why it is full, and what makes room.")},
        {"lesson-slowest-tile", tr("Why the slowest tile decides"), tr("Supersteps, waiting tiles, and how to balance them.")}};
    for (auto const &[id, title, sentence] : list) {
        auto *card = new Card(picture(QStringLiteral("lessons"), 24), title, sentence, page);
        connect(card, &QPushButton::clicked, this, [this, lesson = QString::fromLatin1(id)] { emit lessonChosen(lesson); });
        columns->addWidget(card, ++line, 1);
        m_cards[1] << card;
    }
    all->addSpacing(8);
    all->addLayout(columns);
    all->addStretch();
    setWidget(body);
    m_body = body;
    QMetaObject::invokeMethod(this, &StartPage::evenHeights, Qt::QueuedConnection);
}

/// What a crash left, until it is recovered, saved over or discarded: projects that were never saved, and changes to saved ones.
void StartPage::addRecoveries(QVBoxLayout &all, QWidget &page)
{
    QList<Card *> cards;
    auto const add = [&](QString const &title, QString const &text) {
        cards << new Card(picture(QStringLiteral("recent"), 28), title, text, &page);
        return cards.last();
    };
    for (auto const &path : settings::recentFiles()) {
        if (!QFileInfo::exists(path)) continue;
        auto const changed = Document::recoveryTime(path);
        if (!changed.isValid()) continue;
        auto *card = add(tr("Recover “%1”").arg(QFileInfo(path).completeBaseName()),
                         tr("Changes up to %1 are not saved. The file stays as it is until you save.").arg(whenText(changed)));
        connect(card, &QPushButton::clicked, this, [this, path] { emit changesChosen(path); });
    }
    for (auto const &path : Document::orphanedAutosaves().mid(0, kMostOrphans)) {
        auto const orphan = Document::orphan(path);
        QString text = tr("Never saved. Last change: %1").arg(whenText(orphan.changed));
        if (orphan.runs > 0) text += QStringLiteral(" · ") + tr("%n run(s)", nullptr, orphan.runs);
        auto *card = add(tr("Recover “%1”").arg(orphan.title.isEmpty() ? tr("Untitled") : orphan.title), text);
        connect(card, &QPushButton::clicked, this, [this, path] { emit recoveryChosen(path); });
    }
    if (cards.isEmpty()) return;
    all.addSpacing(8);
    all.addWidget(heading(tr("Unsaved changes"), &page));
    auto *grid = new QGridLayout; // of the same columns as the templates
    grid->setSpacing(12);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    for (int place = 0; place < cards.size(); ++place) grid->addWidget(cards[place], place / 2, place % 2);
    if (cards.size() == 1) grid->addWidget(new QWidget(&page), 0, 1); // an empty column would be narrower
    for (auto *card : cards) m_cards[2] << card;
    all.addLayout(grid);
}

/// Cards of a group are equally high: as the one with the most words.
void StartPage::evenHeights()
{
    for (auto const &cards : m_cards) {
        int highest = 0;
        for (auto const *card : cards) highest = std::max(highest, card->heightForWidth(card->width()));
        for (auto *card : cards) card->setFixedHeight(highest);
    }
}

void StartPage::resizeEvent(QResizeEvent *event)
{
    QScrollArea::resizeEvent(event);
    QMetaObject::invokeMethod(this, &StartPage::evenHeights, Qt::QueuedConnection); // when the cards have their width
}

} // namespace tilewright::app
