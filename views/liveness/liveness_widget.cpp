#include "views/liveness/liveness_widget.h"

#include "views/common/format.h"
#include "views/jobs/job_runner.h"
#include "views/liveness/life_bars.h"
#include "views/liveness/live_steps.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/tiles/column_chart.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>

namespace tilewright::views {

namespace {

} // namespace

LivenessWidget::LivenessWidget(Session &session, QWidget *parent) : View(QStringLiteral("liveness"), session, parent)
{
    setDependsOn(true, false, false);
    setShowsMoment();
    build();
}

void LivenessWidget::startSearch() { m_panes[static_cast<std::size_t>(m_tables->currentIndex())]->focusFilter(); }

void LivenessWidget::refresh()
{
    auto const report = session().report();
    if (!applyReportState("liveness")) {
        m_report.reset();
        m_contents.reset();
        return;
    }
    if (!report->isWhole()) return;
    if (!showsSameCompile(report, m_report)) {
        // The same report with more data of its run has the same steps: keep the search.
        if (!m_report || report->uuid().isEmpty() || report->uuid() != m_report->uuid()) forgetFilter();
        m_report = report;
        load();
    } else if (session().baseline() != m_baseline && session().baseline() != m_report) rebuild();
}

void LivenessWidget::load()
{
    m_contents.reset();
    m_items.clear();
    m_picture = {}; // of the previous report, with other steps
    m_second = -1;
    m_question = {};
    fillScopes();
    setHeadline(livenessHeadline(*m_report, nullptr, m_question.scope));
    m_step = std::max(0, session().playhead().livenessStep());
    int const wanted = ++m_wanted;
    using Contents = std::shared_ptr<TileContents const>;
    session().jobs().compute<Contents>(
        this, JobKind::ReadContents, QStringLiteral("liveness.contents"),
        [report = m_report](JobContext const &job) -> Result<Contents> { return readContents(*report, job); },
        [this, report = m_report, wanted](Result<Contents> const &contents) {
            m_done = wanted;
            if (report != m_report || !contents.ok() || !*contents) return;
            m_contents = *contents;
            m_step = std::max(0, session().playhead().livenessStep()); // it may have moved meanwhile
            rebuild();
        });
}

void LivenessWidget::fillScopes()
{
    QSignalBlocker const quiet(m_scope);
    m_scope->clear();
    m_scope->addItem(tr("all tiles"), QPoint(LiveScope::All, 0));
    auto const &d = m_report->data();
    for (int i = 0; i < d.target.ipusPerReplica && d.target.ipusPerReplica > 1; ++i)
        m_scope->addItem(tr("IPU %1").arg(i), QPoint(LiveScope::Ipu, i));
    for (std::size_t s = 0; s < d.stages.size(); ++s)
        m_scope->addItem(tr("stage %1").arg(s), QPoint(LiveScope::Stage, static_cast<int>(s)));
    m_scope->parentWidget()->setVisible(m_scope->count() > 1);
}

void LivenessWidget::ask()
{
    if (!m_report) return;
    auto const scope = m_scope->currentData().toPoint();
    m_question.scope = {static_cast<LiveScope::Kind>(scope.x()), scope.y()};
    auto const by = parseBreakdown(m_by->currentData().toString());
    if (sender() == m_by || by != m_question.by) m_question.layer = -1; // an opened layer closes
    m_question.by = by;
    rebuild();
}

void LivenessWidget::rebuild()
{
    if (!m_report || !m_contents) return;
    int const wanted = ++m_wanted;
    bool const cycles = m_axis->currentData().toBool();
    auto const baseline = session().baseline();
    if (baseline != m_baseline) m_before.reset();
    m_baseline = baseline && baseline->isWhole() && baseline != m_report ? baseline : nullptr;
    struct Drawn {
        LivePicture picture;
        QString headline;
        LiveComparison comparison;
        std::shared_ptr<TileContents const> before; ///< contents of the baseline's tiles
    };
    session().jobs().compute<Drawn>(
        this, JobKind::AddUp, QStringLiteral("liveness.picture"),
        [report = m_report, contents = m_contents, question = m_question, baseline = m_baseline, before = m_before,
         cycles](JobContext const &job) -> Result<Drawn> {
            Drawn drawn{
                livePicture(*report, *contents, question, cycles), livenessHeadline(*report, contents.get(), question.scope), {}, before};
            if (baseline && !drawn.before) drawn.before = readContents(*baseline, job);
            if (baseline && drawn.before) drawn.comparison = liveComparison(*report, *contents, *baseline, *drawn.before, question.scope);
            return drawn;
        },
        [this, report = m_report, baseline = m_baseline, wanted](Result<Drawn> drawn) {
            m_done = wanted;
            if (!drawn.ok() || report != m_report) return;
            if (baseline == m_baseline) m_before = drawn->before;
            m_comparison = drawn->comparison;
            m_compared->setText(m_comparison.text);
            m_compared->setVisible(!m_comparison.text.isEmpty());
            m_tables->setTabVisible(Compared, !m_comparison.text.isEmpty());
            m_picture = std::move(drawn->picture);
            setHeadline(drawn->headline);
            drawChart();
            m_without->setText(withoutText(m_picture));
            m_without->setVisible(!m_picture.question.without.empty());
            m_bring->setEnabled(!m_picture.question.without.empty());
            showStep();
            showMarks();
        });
}

void LivenessWidget::setStep(int step, bool offer)
{
    int const steps = m_contents ? m_contents->lives.steps() : 0;
    if (steps == 0) return;
    step = std::clamp(step, 0, steps - 1);
    if (step == m_step) return;
    m_step = step;
    showStep();
    showMarks();
    if (!offer) return;
    session().playhead().moveToLivenessStep(step); // also if that step is selected already
    session().selection().selectIds(SelectionKind::LivenessStep, {step}, this);
}

void LivenessWidget::setSecond(int step)
{
    m_second = step;
    if (step >= 0) m_tables->setCurrentIndex(Difference);
    showStep();
    showMarks();
}

void LivenessWidget::showStep()
{
    if (!m_report || !m_contents) return;
    m_items = liveItems(*m_report, *m_contents, m_question.scope, m_step);
    Bytes all = 0, always = 0, born = 0, dying = 0;
    for (auto const &item : m_items) {
        all += item.bytes;
        if (item.alwaysLive) always += item.bytes;
        if (item.born == m_step) born += item.bytes;
        if (item.dies == m_step + 1) dying += item.bytes;
    }
    auto const facts = stepFacts(*m_report, m_step);
    QStringList parts{tr("Liveness step %1: %2").arg(m_step).arg(facts.name)};
    if (!facts.kind.isEmpty()) parts << facts.kind;
    if (!facts.brief.isEmpty() && facts.brief != facts.name) parts << facts.brief;
    if (facts.stage >= 0) parts << tr("stage %1").arg(facts.stage);
    if (facts.isCompute) parts << tr("%1 vertex(es)", nullptr, pluralOf(facts.vertices)).arg(countText(facts.vertices));
    if (facts.cycles >= 0) parts << tr("%1 (modelled)").arg(cyclesText(facts.cycles));
    QString const bytes = tr("%1 live, %2 of it always · born %3 · dying after it %4")
                              .arg(bytesText(all), bytesText(always), bytesText(born), bytesText(dying));
    m_stepText->setText(parts.join(QStringLiteral(" · ")) + QLatin1Char('\n') + bytes);
    showBars();
    fillTables();
}

void LivenessWidget::fillTables()
{
    if (!m_report || !m_contents) return;
    auto const table = static_cast<Table>(m_tables->currentIndex());
    auto &filled = m_filled[static_cast<std::size_t>(table)];
    switch (table) {
    case Live: filled = liveTable(m_report, m_items, m_step, LiveRows::Everything, m_question.without); break;
    case Born: filled = liveTable(m_report, m_items, m_step, LiveRows::Born, m_question.without); break;
    case Dying: filled = liveTable(m_report, m_items, m_step, LiveRows::Dying, m_question.without); break;
    case Difference:
        filled = changeTable(m_report,
                             m_second < 0 ? std::vector<LiveChange>{}
                                          : liveChanges(m_items, liveItems(*m_report, *m_contents, m_question.scope, m_second)));
        break;
    case Peaks: filled = peakTable(m_report, m_picture.peaks, curveOf(m_picture.bands, m_contents->lives.steps())); break;
    case Compared: filled = comparisonTable(m_comparison.pairs); break;
    case TableCount: return;
    }
    m_tables->setTabText(Difference,
                         m_second < 0 ? tr("Difference (Ctrl+click a step)") : tr("Difference %1 → %2").arg(m_step).arg(m_second));
    m_filling = true;
    m_panes[static_cast<std::size_t>(table)]->fill(filled.columns, filled.rows, {}, filled.keep);
    m_filling = false;
}

void LivenessWidget::showMarks()
{
    if (!m_report) return;
    auto const &lineage = session().selection().lineage();
    auto const kind = session().selection().current().kind;
    ColumnMarks marks;
    marks.locked = positionOf(m_step);
    marks.second = positionOf(m_second);
    for (int const peak : shownPeaks()) marks.peaks.push_back(positionOf(peak));
    if (int const program = session().playhead().standing(); program >= 0) {
        auto const &steps = m_report->data().livenessSteps;
        auto const stands = std::ranges::find(steps, program, &report::LivenessStepRow::program);
        if (stands != steps.end()) marks.playhead = positionOf(static_cast<int>(stands - steps.begin()));
    }
    QString text;
    if (kind != SelectionKind::None && kind != SelectionKind::LivenessStep) {
        // Steps of a variable: those at which it is live. Steps of other subjects: those of their programs.
        if (!m_filtered) marks.marked = lineage.steps;
        else
            for (int const step : m_found) marks.marked.push_back(Lineage::has(lineage.steps, step) ? 1 : 0);
        int const steps = Lineage::count(lineage.steps), variables = Lineage::count(lineage.variables);
        QString const what = session().selection().text();
        text = steps == 0 && variables == 0
            ? tr("%1 has no liveness step in this report.").arg(what)
            : tr("%1: %2 of %3 liveness steps, %4 of %5 variables")
                  .arg(what, countText(steps), countText(static_cast<std::int64_t>(m_report->data().livenessSteps.size())),
                       countText(variables), countText(static_cast<std::int64_t>(m_report->data().variables.size())));
    }
    setNote(text);
    m_chart->setMarks(std::move(marks));
    m_bars->setStep(positionOf(m_step) >= 0 ? m_step : -1);
}

void LivenessWidget::showBars()
{
    auto const &d = m_report->data();
    auto const &lineage = session().selection().lineage();
    std::vector<int> variables;
    for (std::size_t v = 0; v < lineage.variables.size() && variables.size() < kLifeBars; ++v)
        if (lineage.variables[v]) variables.push_back(static_cast<int>(v));
    for (std::size_t i = 0; i < m_items.size() && variables.size() < kLifeBars; ++i) // without a selection: the largest ones
        if (m_items[i].variable >= 0 && !m_items[i].alwaysLive
            && std::find(variables.begin(), variables.end(), m_items[i].variable) == variables.end())
            variables.push_back(m_items[i].variable);
    auto const keys = partKeys(*m_report, Breakdown::Role);
    std::vector<LifeBar> bars;
    for (int const variable : variables) {
        LifeBar bar;
        bar.variable = variable;
        auto const &row = d.variables[static_cast<std::size_t>(variable)];
        bar.name = QString::fromStdString(row.name);
        bar.always = row.alwaysLive;
        bar.lastUse = row.alwaysLive ? -1 : row.lastUseStep;
        report::LoweredVariable item;
        item.variable = variable;
        bar.key = keys.keys[static_cast<std::size_t>(keys.of(item))];
        for (auto const &group : m_contents->groups) {
            auto const found = std::find_if(group.items.begin(), group.items.end(), [&](auto const &i) { return i.variable == variable; });
            if (found == group.items.end()) continue;
            auto const spans = m_contents->lives.of(found->livenessClass);
            bar.spans.assign(spans.begin(), spans.end());
            break;
        }
        if (m_filtered) {
            // Variables that are live in none of the shown steps have no bar.
            auto const seen = [this](std::pair<int, int> const &span) {
                auto const at = std::ranges::lower_bound(m_found, span.first);
                return at != m_found.end() && *at < span.second;
            };
            if (!bar.always && std::ranges::none_of(bar.spans, seen)) continue;
            if (positionOf(bar.lastUse) < 0) bar.lastUse = -1;
        }
        bars.push_back(std::move(bar));
    }
    m_bars->setBars(std::move(bars));
}

void LivenessWidget::leaveOut()
{
    auto const table = static_cast<std::size_t>(m_tables->currentIndex());
    auto before = m_question.without;
    for (int const row : m_panes[table]->selectedRows())
        if (row >= 0 && row < static_cast<int>(m_filled[table].variables.size()))
            if (int const variable = m_filled[table].variables[static_cast<std::size_t>(row)]; variable >= 0)
                m_question.without.insert(variable);
    if (m_question.without != before) rebuild();
}

void LivenessWidget::openBand(int band)
{
    // Opening a layer shows its variables; opening one of those leads back.
    if (!m_report || band < 0 || band >= static_cast<int>(m_picture.bands.size())) return;
    if (m_question.layer >= 0) {
        m_question.layer = -1;
        return rebuild();
    }
    if (m_question.by == Breakdown::Layer) {
        std::string const name = m_picture.bands[static_cast<std::size_t>(band)].key.name.toStdString();
        auto const &ops = m_report->data().ops;
        for (std::size_t i = 0; i < ops.size(); ++i)
            if (ops[i].level == "keras" && ops[i].name == name && m_report->layerOp(static_cast<int>(i)) == static_cast<int>(i))
                m_question.layer = static_cast<int>(i);
        if (m_question.layer >= 0) return rebuild();
    }
    auto scene = std::make_shared<ColumnScene>(m_chart->scene());
    auto &shown = scene->bands[static_cast<std::size_t>(band)].shown;
    shown = !shown;
    m_chart->setScene(scene);
}

void LivenessWidget::rowsPicked(Table table, std::vector<int> const &rows)
{
    if (m_filling || rows.empty()) return;
    auto const &filled = m_filled[static_cast<std::size_t>(table)];
    if (table == Peaks) {
        if (rows.front() < static_cast<int>(filled.steps.size())) setStep(filled.steps[static_cast<std::size_t>(rows.front())], true);
        return;
    }
    std::vector<int> variables;
    for (int const row : rows)
        if (row < static_cast<int>(filled.variables.size()) && filled.variables[static_cast<std::size_t>(row)] >= 0)
            variables.push_back(filled.variables[static_cast<std::size_t>(row)]);
    if (!variables.empty()) session().selection().selectIds(SelectionKind::Variable, variables, this);
}

void LivenessWidget::showMoment()
{
    if (!m_report) return;
    auto const &moment = session().playhead().moment();
    if (moment.livenessStep >= 0 || !moment.isSet()) setStep(session().playhead().livenessStep(), false);
    showMarks(); // also where the run stands
}

QString LivenessWidget::momentMissing() const
{
    QString const program = session().playhead().programName();
    if (!m_report || program.isEmpty() || session().playhead().moment().livenessStep >= 0) return {};
    return tr("%1 changes no memory, so it has no liveness step; the chart stays at step %2.").arg(program).arg(m_step);
}

void LivenessWidget::follow()
{
    if (!m_report) return;
    showMarks();
    if (!m_contents) return;
    showBars();
    if (session().selection().origin() == this) return;
    auto const &lineage = session().selection().lineage();
    auto const table = static_cast<std::size_t>(m_tables->currentIndex());
    std::vector<int> rows;
    for (std::size_t row = 0; row < m_filled[table].variables.size(); ++row)
        if (Lineage::has(lineage.variables, m_filled[table].variables[row])) rows.push_back(static_cast<int>(row));
    m_panes[table]->highlight(rows);
}

bool LivenessWidget::keyPressed(int key, Qt::KeyboardModifiers modifiers)
{
    switch (key) {
    case Qt::Key_Left: return moveBy(-1), true;
    case Qt::Key_Right: return moveBy(1), true;
    case Qt::Key_Home: return setStep(std::max(0, stepAt(0)), true), true;
    case Qt::Key_End: return setStep(std::max(0, stepAt(m_chart->scene().axis.count - 1)), true), true;
    case Qt::Key_P:
        if (int const peak = nextPeak(shownPeaks(), m_step, modifiers & Qt::ShiftModifier); peak >= 0) setStep(peak, true);
        return true;
    case Qt::Key_L: return m_limit->toggle(), true;
    case Qt::Key_Escape: return setSecond(-1), true;
    default: return false;
    }
}

bool LivenessWidget::eventFilter(QObject *object, QEvent *event)
{
    if (object == m_splitter && event->type() == QEvent::LayoutRequest)
        m_splitter->setMinimumHeight(m_splitter->minimumSizeHint().height());
    if (event->type() != QEvent::KeyPress || object == m_splitter) return View::eventFilter(object, event);
    auto const *key = static_cast<QKeyEvent *>(event);
    if (key->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return false;
    // Arrow keys of the chart move through the steps; in tables only the keys that a table does not use.
    if (object == m_chart) {
        if (key->modifiers() & Qt::ShiftModifier && (key->key() == Qt::Key_Left || key->key() == Qt::Key_Right))
            return keyPressed(Qt::Key_P, key->key() == Qt::Key_Left ? Qt::ShiftModifier : Qt::NoModifier);
        return keyPressed(key->key(), key->modifiers());
    }
    if (key->key() != Qt::Key_Delete) return false;
    leaveOut();
    return true;
}

QString LivenessWidget::tipOf(int step) const
{
    if (!m_report || step < 0) return {};
    auto const facts = stepFacts(*m_report, step);
    QStringList lines{tr("liveness step %1: %2").arg(step).arg(facts.name)};
    if (!facts.brief.isEmpty() && facts.brief != facts.name) lines << facts.brief;
    if (facts.cycles >= 0) lines << tr("%1 (modelled)").arg(cyclesText(facts.cycles));
    std::int64_t sum = 0;
    QStringList bands;
    for (auto const &band : m_picture.bands) {
        auto const bytes = step < static_cast<int>(band.bytes.size()) ? band.bytes[static_cast<std::size_t>(step)] : 0;
        sum += bytes;
        if (bytes != 0) bands << QStringLiteral("%1: %2").arg(band.key.name, bytesExact(bytes));
    }
    lines << tr("%1 live").arg(bytesExact(sum)) << bands;
    return lines.join(QLatin1Char('\n'));
}

} // namespace tilewright::views
