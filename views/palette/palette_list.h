#pragma once

#include <QTreeWidget>

namespace tilewright::views {

/// The layer registry as a tree by category. Items carry the class name; dragging one offers it as kLayerMime.
class PaletteList : public QTreeWidget {
    Q_OBJECT
public:
    explicit PaletteList(QWidget *parent = nullptr);
    /// Shows classes whose name, category or help holds all words; returns how many.
    int filter(QString const &words);
    int classes() const;                                 ///< of the registry
    static QString classOf(QTreeWidgetItem const *item); ///< "" for a category
    void restyle();                                      ///< colours of the present theme

signals:
    void chosen(QString const &className); ///< Enter or double click

protected:
    QStringList mimeTypes() const override;
    QMimeData *mimeData(QList<QTreeWidgetItem *> const &items) const override;
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace tilewright::views
