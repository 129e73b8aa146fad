#include "app/gui/start_page.h"

#include "app/gui/settings.h"
#include "views/common/format.h"
#include "views/common/icons.h"
#include "views/session/document.h"

#include "engine/model/templates.h"

#include <QBoxLayout>
#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace tilewright::app {

using namespace views;

namespace {

/// A card that is a button: picture, title, a sentence.
class Card : public QPushButton {
public:
    Card(QString const &iconName, QString const &title, QString const &text, int pictureSize, QWidget *parent) : QPushButton(parent)
    {
        setAccessibleName(title);
        setAccessibleDescription(text);
        setCursor(Qt::PointingHandCursor);
        setStyleSheet(QStringLiteral("QPushButton { text-align: left; padding: 0; border-radius: 6px; background: %1; }").arg(theme()[Token::Panel].name()));
        auto *picture = new QLabel(this);
        picture->setPixmap(views::icon(iconName, Token::Accent).pixmap(pictureSize));
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
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
    }
    QSize sizeHint() const override { return {280, std::max(56, layout()->heightForWidth(std::max(220, width())))}; }
    QSize minimumSizeHint() const override { return {180, sizeHint().height()}; }
};

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
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::PaletteChange) QMetaObject::invokeMethod(this, [this] { build(); }, Qt::QueuedConnection);
}

void StartPage::build()
{
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
    auto *name = new QLabel(tr("<b style='font-size:x-large'>Tilewright</b><br>Build a model, compile it onto tiles, train it, and see where every byte and cycle goes."), page);
    name->setWordWrap(true);
    auto *openButton = new QPushButton(icon(QStringLiteral("open")), tr("Open a project or report …"), page);
    connect(openButton, &QPushButton::clicked, this, &StartPage::openRequested);
    auto *head = new QHBoxLayout;
    head->addWidget(logo);
    head->addSpacing(8);
    head->addWidget(name, 1);
    head->addWidget(openButton, 0, Qt::AlignVCenter);
    all->addLayout(head);

    if (auto const orphans = Document::orphanedAutosaves(); !orphans.isEmpty()) {
        all->addSpacing(8);
        all->addWidget(heading(tr("Recovered"), page));
        for (auto const &path : orphans.mid(0, 3)) {
            auto *card = new Card(QStringLiteral("recent"), tr("A project that was never saved"),
                                  tr("Its last state before the program ended: %1").arg(QLocale().toString(QFileInfo(QFileInfo(path).path() + QStringLiteral("/.") + QFileInfo(path).fileName() + QStringLiteral(".autosave")).lastModified(), QLocale::ShortFormat)),
                                  28, page);
            connect(card, &QPushButton::clicked, this, [this, path] { emit recoveryChosen(path); });
            all->addWidget(card);
        }
    }

    all->addSpacing(8);
    all->addWidget(heading(tr("Start from a template"), page));
    auto *templates = new QGridLayout;
    templates->setSpacing(12);
    int at = 0;
    for (auto const &entry : model::modelTemplates()) {
        QString const id = QString::fromStdString(entry.name);
        QString const picture = id.contains(QLatin1String("mlp")) ? QStringLiteral("template-mlp") : id.contains(QLatin1String("cnn")) || id.contains(QLatin1String("resnet")) ? QStringLiteral("template-cnn") : QStringLiteral("template-generic");
        auto *card = new Card(picture, QString::fromStdString(entry.title), QString::fromStdString(entry.description) + QLatin1Char(' ') + tr("%n IPU(s).", nullptr, entry.ipus), 56, page);
        connect(card, &QPushButton::clicked, this, [this, id] { emit templateChosen(id); });
        templates->addWidget(card, at / 2, at % 2, Qt::AlignTop);
        ++at;
    }
    templates->setColumnStretch(0, 1);
    templates->setColumnStretch(1, 1);
    all->addLayout(templates);

    auto *columns = new QHBoxLayout;
    columns->setSpacing(24);
    auto *recent = new QVBoxLayout;
    recent->addWidget(heading(tr("Recent"), page));
    int shown = 0;
    for (auto const &path : settings::recentFiles()) {
        if (++shown > 6) break;
        QFileInfo const file(path);
        bool const there = file.exists();
        auto *row = new QHBoxLayout;
        auto *card = new Card(path.endsWith(QLatin1String(".twreport")) ? QStringLiteral("report") : QStringLiteral("project"), file.fileName(),
                              there ? file.path() : tr("missing: %1").arg(file.path()), 24, page);
        card->setEnabled(there);
        connect(card, &QPushButton::clicked, this, [this, path] { emit fileChosen(path); });
        row->addWidget(card, 1);
        auto *forget = new QToolButton(page);
        forget->setIcon(icon(QStringLiteral("close"), Token::SecondaryText));
        forget->setToolTip(tr("Remove from the list"));
        forget->setAccessibleName(tr("Remove %1 from the list").arg(file.fileName()));
        connect(forget, &QToolButton::clicked, this, [this, path] {
            settings::removeRecent(path);
            QMetaObject::invokeMethod(this, [this] { build(); }, Qt::QueuedConnection);
        });
        row->addWidget(forget);
        recent->addLayout(row);
    }
    if (shown == 0) {
        auto *none = new QLabel(tr("Projects and reports you open stand here. Files can also be dropped on the window."), page);
        none->setWordWrap(true);
        none->setProperty("role", "secondary");
        recent->addWidget(none);
    }
    recent->addStretch();
    auto *lessons = new QVBoxLayout;
    lessons->addWidget(heading(tr("Lessons"), page));
    std::pair<char const *, QString> const list[] = {{"lesson-mnist", tr("MNIST in five minutes")},
                                                     {"lesson-memory", tr("Reading the memory report")},
                                                     {"lesson-slowest-tile", tr("Why the slowest tile decides")}};
    for (auto const &[id, title] : list) {
        auto *card = new Card(QStringLiteral("lessons"), title, {}, 24, page);
        connect(card, &QPushButton::clicked, this, [this, lesson = QString::fromLatin1(id)] { emit lessonChosen(lesson); });
        lessons->addWidget(card);
    }
    lessons->addStretch();
    columns->addLayout(recent, 1);
    columns->addLayout(lessons, 1);
    all->addSpacing(8);
    all->addLayout(columns);
    all->addStretch();
    setWidget(body);
    m_body = body;
}

} // namespace tilewright::app
