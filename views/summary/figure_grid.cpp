#include "views/summary/figure_grid.h"

#include "views/common/words.h"
#include "views/summary/figure_card.h"

#include <QAction>
#include <QBoxLayout>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr int kLongWord = 32 * kGrid; ///< so that a long file name does not widen the page

void keepWords(QLabel &label, QString const &text)
{
    int widest = 1;
    for (auto const &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        widest = std::max(widest, label.fontMetrics().horizontalAdvance(word));
    label.setMinimumWidth(std::min(widest, kLongWord));
}

} // namespace

FigureGrid::FigureGrid(Session &session, QObject *origin, QString const &title, QWidget *parent)
    : QFrame(parent), m_session(session), m_origin(origin)
{
    setProperty("role", "card");
    setAccessibleName(title);
    m_all = new QVBoxLayout(this);
    m_all->setContentsMargins(kGap + kGrid, kGap, kGap + kGrid, kGap);
    m_all->setSpacing(kGrid);
    auto *heading = new QLabel(title, this);
    heading->setProperty("role", "headline");
    m_all->addWidget(heading);
    m_all->addStretch(1);
}

void FigureGrid::show(QList<Figure> const &figures, SummaryFacts const *baseline)
{
    if (m_rows) {
        m_rows->hide();
        m_rows->deleteLater();
    }
    m_values.clear();
    m_rows = new QWidget(this);
    auto *grid = new QGridLayout(m_rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(kGap * 2);
    grid->setVerticalSpacing(kGrid / 2);
    // In a wide card the values stay beside their names; the space is behind them.
    grid->setColumnStretch(0, 2);
    grid->setColumnStretch(1, 3);
    if (baseline) grid->setColumnStretch(2, 3);
    int widest = 0;
    for (auto const &figure : figures) widest = std::max(widest, fontMetrics().horizontalAdvance(figure.label));
    int const nameWidth = widest + 2 * kGap;
    int row = 0;
    if (baseline) {
        int column = 1;
        for (auto const &head : {Words::tr("This report"), Words::tr("Baseline"), Words::tr("Difference")}) {
            auto *label = new QLabel(head, m_rows);
            label->setProperty("role", "secondary");
            label->setWordWrap(true);
            grid->addWidget(label, row, column++);
        }
        ++row;
    }
    for (auto const &figure : figures) {
        auto *label = new QLabel(figure.label, m_rows);
        label->setProperty("role", "secondary");
        label->setWordWrap(true);
        label->setMaximumWidth(nameWidth);
        auto *value = new LinkLabel(m_session, m_origin, m_rows);
        QString words = figure.isKnown() ? withOrigin(quantityText(figure), figure.origin) : quantityText(figure);
        if (!figure.note.isEmpty()) words += QStringLiteral(" · ") + figure.note;
        value->setLink(words, figure.target, quantityTip(figure, figure.tip));
        value->setAccessibleName(QStringLiteral("%1: %2").arg(figure.label, words));
        keepWords(*value, words);
        if (!figure.whole.isEmpty()) {
            auto *copy = new QAction(Words::tr("Copy %1").arg(figure.whole), value);
            connect(copy, &QAction::triggered, value, [whole = figure.whole] { QGuiApplication::clipboard()->setText(whole); });
            value->addAction(copy);
            value->setContextMenuPolicy(Qt::ActionsContextMenu);
        }
        m_values << value;
        grid->addWidget(label, row, 0, Qt::AlignTop);
        grid->addWidget(value, row, 1);
        if (baseline)
            if (auto const *old = findFigure(*baseline, figure.id)) {
                auto *before = new QLabel(quantityText(*old), m_rows);
                before->setToolTip(quantityTip(*old, old->tip));
                before->setWordWrap(true);
                keepWords(*before, before->text());
                auto *change = new QLabel(m_rows);
                change->setWordWrap(true);
                showChange(*change, changeOf(figure, *old));
                grid->addWidget(before, row, 2);
                grid->addWidget(change, row, 3);
            }
        ++row;
    }
    m_all->insertWidget(1, m_rows);
}

} // namespace tilewright::views
