#include "views/memory/values_pane.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/reports/report_snapshot.h"
#include "views/session/playhead.h"
#include "views/session/run_commands.h"
#include "views/session/session.h"
#include "views/tiles/tile_grammar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <utility>

namespace tilewright::views {

namespace {
constexpr int kSendersNamed = 6;
}

ValuesPane::ValuesPane(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    m_text = new QLabel(this);
    m_text->setWordWrap(true);
    auto const button = [this](RunCommand command) {
        auto *made = new QPushButton(buttonText(command), this);
        made->setToolTip(tipOf(command));
        connect(made, &QPushButton::clicked, this, [this, command] { perform(command, m_session); });
        return made;
    };
    m_back = button(RunCommand::SuperstepBack);
    m_superstep = button(RunCommand::Superstep);
    m_senders = new QLabel(this);
    m_senders->setWordWrap(true);
    m_senders->setProperty("role", "secondary");
    m_table = new TablePane(tr("Values on the tile"), this);
    auto *head = new QHBoxLayout;
    head->addWidget(m_text, 1);
    head->addWidget(m_back, 0, Qt::AlignTop);
    head->addWidget(m_superstep, 0, Qt::AlignTop);
    auto *all = new QVBoxLayout(this);
    all->setContentsMargins(0, kGrid, 0, 0);
    all->setSpacing(kGrid);
    all->addLayout(head);
    all->addWidget(m_senders);
    all->addWidget(m_table, 1);
    update();
}

void ValuesPane::setReport(Report report, std::shared_ptr<TileContents const> contents)
{
    m_report = std::move(report);
    m_contents = std::move(contents);
    update();
}

void ValuesPane::setTile(int tile)
{
    m_tile = tile;
    m_session.runs().watchTile(tile);
    update();
}

void ValuesPane::updateShown()
{
    m_due = !isVisible();
    if (!m_due) update();
}

void ValuesPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (std::exchange(m_due, false)) update();
}

void ValuesPane::explain(QString const &text)
{
    m_showing = false;
    m_text->setText(text);
    m_senders->hide();
    m_table->hide();
}

void ValuesPane::update()
{
    auto const &live = m_session.runs().live();
    bool const paused = m_session.runs().isPaused(), tileMode = live.exists && live.mode == RunMode::Tile;
    m_superstep->setVisible(paused && tileMode);
    m_back->setVisible(paused && tileMode);
    if (!live.exists || m_session.runs().state() == RunState::Idle)
        return explain(tr("Train in tile mode and pause: then every variable on the chosen tile is read here, byte by byte. In fused mode "
                          "tiles hold no bytes of their own."));
    if (!tileMode)
        return explain(tr("This run is fused: it computes with whole tensors, so tiles hold no bytes that could be read. Train in tile "
                          "mode to see them."));
    if (!paused) return explain(tr("Pause the run to read the tile's memory."));
    if (m_tile < 0 || !m_report || !m_contents) return explain(tr("Choose a tile to read it."));
    auto const &values = m_session.runs().tileValues();
    if (values.tile != m_tile) {
        m_session.runs().watchTile(m_tile); // for a run that began after the tile was selected
        return explain(tr("Reading tile %1 …").arg(m_tile));
    }
    auto reading = readTile(*m_report, *m_contents, values);
    m_showing = true;
    auto const &d = m_report->data();
    QString const program = values.program >= 0 && values.program < static_cast<int>(d.programs.size())
        ? QString::fromStdString(d.programs[static_cast<std::size_t>(values.program)].name)
        : tr("the start");
    QString const step = reading.step >= 0 ? tr("liveness step %1").arg(reading.step) : tr("not a liveness step");
    QString const stands = m_session.playhead().standingText();
    QString const where = stands.isEmpty() ? tr("After %1").arg(program) : stands;
    m_text->setText(tr("%1: %2 (%3)").arg(tileName(m_tile, d.target.ipusPerReplica, m_report->tilesPerIpu()), where, step));
    QStringList senders;
    Bytes sum = 0;
    for (auto const &sender : reading.senders) {
        sum += sender.bytes;
        if (senders.size() < kSendersNamed) senders << tr("%1 from tile %2").arg(bytesText(sender.bytes)).arg(sender.tile);
    }
    if (reading.exchange < 0) m_senders->setText(tr("No exchange has run yet."));
    else {
        int const by = d.exchanges[static_cast<std::size_t>(reading.exchange)].program;
        QString const name = by >= 0 && by < static_cast<int>(d.programs.size())
            ? QString::fromStdString(d.programs[static_cast<std::size_t>(by)].name)
            : QString();
        if (senders.isEmpty()) m_senders->setText(tr("The last exchange (%1) brought nothing to this tile.").arg(name));
        else {
            qsizetype const more = static_cast<qsizetype>(reading.senders.size()) - senders.size();
            m_senders->setText(tr("The last exchange (%1) brought %2: %3%4")
                                   .arg(name, bytesText(sum), senders.join(QStringLiteral(", ")),
                                        more > 0 ? tr(" and %Ln tile(s) more", nullptr, static_cast<int>(more)) : QString()));
        }
    }
    m_senders->show();
    auto table = valuesTable(m_report, std::move(reading));
    m_table->fill(std::move(table.columns), table.rows, {}, table.keep);
    m_table->show();
}

} // namespace tilewright::views
