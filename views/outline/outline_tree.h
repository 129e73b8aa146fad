#pragma once

#include "views/modeledit/canvas_layout.h"
#include "views/modeledit/model_graph.h"
#include "views/outline/project_lines.h"

#include "engine/core/result.h"

#include <QTreeWidget>

#include <map>
#include <set>
#include <span>

namespace tilewright::views {

/// Layers in their groups, then the other parts of the project. Layer names are edited in place.
class OutlineTree : public QTreeWidget {
    Q_OBJECT
public:
    enum Column { NameColumn, ShapeColumn, ParameterColumn, StageColumn, ClassColumn, ColumnCount };

    explicit OutlineTree(QWidget *parent = nullptr);
    void fill(QString const &title, ModelGraph const &graph, CanvasLayout const &layout, std::span<Diagnostic const> problems,
              QList<ProjectLine> const &lines);
    /// Selects rows of layers and scrolls to the last (current) one, without signals.
    void showLayers(QStringList const &layers);
    void showLit(std::set<QString> const &layers); ///< rows that belong to a selection elsewhere
    QString currentLayer() const;                  ///< "" if the current row is not a layer
    QStringList selectedLayers() const;
    void editCurrent();

public slots:
    void remove() { emit removeRequested(); }

signals:
    void layersPicked(QStringList const &layers); ///< the current one last
    void renameRequested(QString const &from, QString const &to);
    void viewPicked(QString const &view); ///< a line of another part of the project
    void layerActivated(QString const &layer);
    void removeRequested();
    void moveRequested(int by);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool event(QEvent *event) override;

private:
    QTreeWidgetItem *layerItem(QTreeWidgetItem *parent, LayerInfo const &layer);
    QTreeWidgetItem *itemOf(QString const &layer) const;
    void tellSelection();
    void fitColumns();
    void writeCounts(bool exact);
    bool m_quiet = false, m_staged = false;
    std::map<QString, QTreeWidgetItem *> m_items;
    std::map<Token, QIcon> m_icons; ///< of the families, in the theme of the last fill
    std::set<QString> m_collapsed;  ///< groups collapsed by the user
};

} // namespace tilewright::views
