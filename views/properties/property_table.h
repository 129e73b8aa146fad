#pragma once

#include "views/common/export.h"
#include "views/properties/property_spec.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QLabel;
class QLineEdit;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace tilewright::views {

class Document;
class PropertyRow;

/// Rows of fields under headings, with a search line and a filter for changed fields. Edits become undo steps of the document; edits during
/// one visit of a field are merged. A refused value stays in its field, marked; the engine's reason is below the field that has the
/// keyboard or the pointer.
class PropertyTable : public QWidget {
    Q_OBJECT
public:
    PropertyTable(Document &document, QString const &accessibleName, QWidget *parent = nullptr);
    ~PropertyTable() override;
    /// Sets other rows (equal ones are kept), then reload().
    void setSpecs(std::vector<PropertySpec> specs);
    /// Reloads values and problems of the current project.
    void reload();

    void setSearchVisible(bool visible);
    void setFilterText(QString const &text);
    void setChangedOnly(bool on);
    bool changedOnly() const;
    QString filterText() const;
    void focusSearch();
    /// Opens the row's heading, scrolls to it and, with takeKeyboard, focuses it.
    void showRow(QString const &path, bool takeKeyboard = true);

    int rowCount() const { return static_cast<int>(m_rows.size()); }
    int shownCount() const;
    int changedCount() const;
    PropertyRow *row(QString const &path) const; ///< null: none
    void setHint(QString const &path, QString const &text);
    /// Applies a text as if it had been typed and entered.
    void apply(QString const &path, QString const &text);
    void reset(QString const &path);
    void setHelpVisible(bool visible);
    /// Values by label, as JSON, and back, to copy properties between layers. Skips fields without a default (names, sizes). Returns the
    /// number of set fields, as one undo step.
    QString valuesText() const;
    int pasteValues(QString const &text);
    ExportTable exportTable(QString const &name) const;

signals:
    /// A valid text is being typed but not applied: the resulting project. Null: no longer.
    void tried(QString const &path, std::shared_ptr<project::Project const> const &project);
    void applied(QString const &path, QString const &text);
    void rowFocused(QString const &path);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Group {
        QToolButton *head = nullptr; ///< null: the rows need no heading
        QWidget *body = nullptr;
        std::vector<PropertyRow *> rows;
        bool open = true;
    };
    void rebuild();
    QStringList groupNames() const; ///< in the order of rows
    void connectRow(PropertyRow &row);
    void leaveRows();
    void judge(PropertyRow &row);
    void commit(PropertyRow &row);
    void resetRow(PropertyRow &row);
    void filter();
    void updateHead(Group &group);
    void arrange();
    void showHelp(PropertyRow const &row);

    Document &m_document;
    std::vector<PropertySpec> m_specs;
    std::vector<PropertyRow *> m_rows;
    std::vector<Group> m_groups;
    QWidget *m_bar;
    QLineEdit *m_search;
    QCheckBox *m_changedOnly;
    QLabel *m_count, *m_none, *m_help;
    QScrollArea *m_scroll;
    QWidget *m_list = nullptr;
    int m_visit = 0; ///< counts visits of fields: edits of one visit merge
    bool m_committing = false, m_wantsHelp = true;
};

} // namespace tilewright::views
