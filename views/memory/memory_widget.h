#pragma once

#include "views/memory/memory_tables.h"
#include "views/memory/memory_scene.h"
#include "views/session/view.h"

#include <array>

class QFrame;
class QLabel;
class QSplitter;
class QTabWidget;

namespace tilewright::views {

class AddressMapWidget;
class MemoryControls;
class StepBar;
class StepHeat;
class TablePane;
class TilesPage;
class ValuesPane;

/// The memory view: profile, floor plan, address map, tables, with one choice of tiles.
class MemoryWidget : public View {
    Q_OBJECT
public:
    MemoryWidget(Session &session, QWidget *parent);

    QList<ExportTable> exportTables() const override;
    QJsonObject saveState() const override;
    void restoreState(QJsonObject const &state) override;
    bool isSettled() const override { return m_done == m_wanted && m_tablesDone == m_tablesWanted; }
    void startSearch() override;

    std::vector<int> const &chosenTiles() const { return m_tiles; }
    /// The tile in focus: the only chosen tile, else the worst one.
    int focusTile() const;
    MemoryOptions const &options() const;

protected:
    void refresh() override;
    void follow() override;
    void grow(Growth) override {} // bytes are of the compile
    void showMoment() override;
    QString momentMissing() const override;
    QString momentShown() const override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    enum Page { TilesTab, AddressTab, StepsTab };
    enum Table { Details, Why, Variables, ComputeSets, Vertices, Exchanges, Values, TableCount };
    void build();
    void load();
    void rebuild();
    void fillTable();
    void showAddresses();
    void showStepBar();
    void showCause();
    void choose(std::vector<int> tiles, bool offer);
    void enterTiles(QString const &text);
    void setCurrent(int tile);
    void setWorst(int tile);
    void setStep(int step, bool offer);
    void showMarks();
    void openAddresses(int tile);
    void rowsPicked(Table table, std::vector<int> const &rows);
    std::vector<int> followedVariables() const;
    QString followedName() const;

    Report m_report;
    std::shared_ptr<TileContents const> m_contents;
    std::vector<int> m_tiles;
    std::pair<QString, std::vector<int>> m_pictured; ///< the selection of the last requested picture
    int m_current = -1;                              ///< start of keyboard and Shift selection
    int m_step = 0, m_worst = -1;
    int m_wanted = 0, m_done = 0, m_tablesWanted = 0, m_tablesDone = 0; ///< generations of background work
    MemoryControls *m_controls = nullptr;
    QFrame *m_cause = nullptr;
    QLabel *m_causeText = nullptr;
    QTabWidget *m_pages = nullptr, *m_tables = nullptr;
    QSplitter *m_splitter = nullptr;
    TilesPage *m_tilesPage = nullptr;
    AddressMapWidget *m_addresses = nullptr;
    QLabel *m_addressTitle = nullptr;
    StepBar *m_steps = nullptr;
    StepHeat *m_heat = nullptr;
    std::array<TablePane *, TableCount> m_panes{};
    std::array<std::vector<int>, TableCount> m_ids;
    QLabel *m_whyText = nullptr;
    ValuesPane *m_values = nullptr;
};

} // namespace tilewright::views
