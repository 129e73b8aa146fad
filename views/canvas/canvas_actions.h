#pragma once

#include "views/canvas/canvas_widget.h"
#include "views/modeledit/document_edits.h"

#include <QObject>

#include <functional>

class QMenu;

namespace tilewright::views {

class Session;

/// Turns actions on the canvas into edits of the document and reports the results.
class CanvasActions : public QObject {
    Q_OBJECT
public:
    CanvasActions(Session &session, CanvasWidget &canvas, QObject *view);

    void run(CanvasCommand command);
    bool append(std::vector<model::Layer> const &layers); ///< true: done
    void drop(QString const &className, int edge, int node);
    void connectNodes(QString const &from, QString const &to);
    void offerBehind(QString const &from, QPoint const &global);
    void activate(QString const &id);
    void fold(std::string const &group, bool folded);
    void pin(std::map<std::string, QPointF> const &centres);
    void layOutAgain(); ///< from scratch; pins stay
    void showMenu(QPoint const &global, int node, int edge);
    void showFixes(QPoint const &global, int node);
    /// The layer after which new ones are inserted ("": the output).
    std::string place() const;

signals:
    void said(QString const &text, bool refusal); ///< "" clears
    void edited();                                ///< the model changed: display it before further actions
    void layoutEdited(bool afresh);               ///< the layout JSON changed
    void addRequested(QString const &phrase);
    void renameRequested(QString const &layer);

private:
    bool apply(QString const &text, std::function<Result<ModelEdit>(model::Model const &)> const &change,
               EditCompletion const &complete = {});
    bool tell(EditOutcome const &outcome); ///< shows the result of an edit; returns whether it was done
    EditCompletion byTheRules() const;     ///< completeEdit
    void remove();
    void copy();
    void paste();
    void group();
    void trace(int node, bool downstream);
    void setLayout(CanvasLayout const &layout, bool afresh = false);
    using Pins = std::map<std::string, std::optional<QPointF>>; ///< nullopt: unpinned
    void setPins(QString const &text, Pins const &pins);
    void addFixes(QMenu &menu, int node);
    void addLayerEntries(QMenu &menu, Shape const &input, std::function<void(QString const &)> const &chosen);
    void addNodeEntries(QMenu &menu, int node);
    void addEdgeEntries(QMenu &menu, int edge);
    void addSelectionEntries(QMenu &menu);
    void addStageEntries(QMenu &menu);
    void addModelEntries(QMenu &menu);
    QMenu *freshMenu();
    Shape shapeOf(std::string const &layer) const;

    Session &m_session;
    CanvasWidget &m_canvas;
    QObject *m_view;
};

} // namespace tilewright::views
