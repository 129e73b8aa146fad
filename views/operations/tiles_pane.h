#pragma once

#include "engine/report/op_tiles.h"
#include "views/plots/bar_chart.h"
#include "views/reports/report_ptr.h"

#include <QScrollArea>

#include <memory>

class QComboBox;
class QLabel;

namespace tilewright::views {

class ColumnChart;

/// An operation by tile; made on a worker thread.
struct OpOnTiles {
    report::OpCode code;
    report::OpCycles cycles;
    report::OpDurations durations;
    report::Distribution spread;
    bool measured = false;
};
std::shared_ptr<OpOnTiles const> opOnTiles(ReportPtr const &report, int op, report::RunFrame const &frame);

/// Number of durations by length.
class DurationChart : public BarChart {
    Q_OBJECT
public:
    explicit DurationChart(QWidget *parent);
    /// `empty`: text without durations.
    void setDurations(std::vector<report::Weighted> const &values, QString const &empty);
    QString tipOf(int index) const override;
    QSize minimumSizeHint() const override;

private:
    std::vector<std::int64_t> m_counts;
    std::int64_t m_width = 1;
};

/// Distribution of the durations of the chosen operation's steps, and their sample.
class DurationsPane : public QWidget {
    Q_OBJECT
public:
    explicit DurationsPane(QWidget *parent);
    void show(QString const &title, std::shared_ptr<OpOnTiles const> const &tiles);
    DurationChart &chart() const { return *m_chart; }
    QString words() const;

private:
    QLabel *m_title = nullptr, *m_figures = nullptr, *m_over = nullptr;
    DurationChart *m_chart = nullptr;
};

/// The chosen operation by tile: cycles, code, durations of its steps. A click selects the tile in every view.
class OpTilesPane : public QScrollArea {
    Q_OBJECT
public:
    enum class Show { Cycles, Code, Durations };
    explicit OpTilesPane(QWidget *parent);
    /// Null: nothing is chosen, or it is being read.
    void show(ReportPtr const &report, QString const &title, std::shared_ptr<OpOnTiles const> const &tiles);
    void setMarked(std::vector<char> const &tiles, int chosen); ///< flags by tile; the single chosen tile, or -1
    Show shown() const;
    void setShown(Show what);
    ColumnChart &chart() const { return *m_chart; }
    DurationsPane &durations() const { return *m_durations; }
signals:
    void tilesChosen(std::vector<int> const &tiles);
    void tileActivated(int tile);

private:
    void draw();
    QString tipOf(int tile) const;
    ReportPtr m_report;
    std::shared_ptr<OpOnTiles const> m_tiles;
    QString m_title;
    QLabel *m_words = nullptr;
    QComboBox *m_what = nullptr;
    ColumnChart *m_chart = nullptr;
    DurationsPane *m_durations = nullptr;
};
QString toText(OpTilesPane::Show what);   ///< translated
char const *idOf(OpTilesPane::Show what); ///< for saved states

} // namespace tilewright::views
