#pragma once

#include <QTreeWidget>

namespace tilewright::views {

/// The layer registry as a tree by category. Items hold the class name; dragging one provides it as kLayerMime.
class PaletteList : public QTreeWidget {
    Q_OBJECT
public:
    explicit PaletteList(QWidget *parent = nullptr);
    /// Shows classes whose name, category or help contains all words. Returns their number.
    int filter(QString const &words);
    int classes() const;                                 ///< of the registry
    static QString classOf(QTreeWidgetItem const *item); ///< "" for a category
    void restyle();                                      ///< applies the current theme

signals:
    void chosen(QString const &className); ///< Enter or double click

protected:
    QStringList mimeTypes() const override;
    QMimeData *mimeData(QList<QTreeWidgetItem *> const &items) const override;
    void keyPressEvent(QKeyEvent *event) override;
};

} // namespace tilewright::views
