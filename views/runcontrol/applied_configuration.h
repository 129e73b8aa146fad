#pragma once

#include "engine/config/ipu_config.h"
#include "engine/core/result.h"
#include "engine/project/project.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace tilewright::views {

class Console;
class Document;

/// The IPU configuration that the programs of this window use. Edits of the project's IPU configuration change no program until they are
/// applied. The first program of an opened project applies what it finds.
class AppliedConfiguration : public QObject {
    Q_OBJECT
public:
    /// An edit that is not applied. The texts are those of config::toText.
    struct Change {
        QString path; ///< "ipu_config.…"
        QString applied, edited;
        bool operator==(Change const &) const = default;
    };
    /// What a program that begins now is made of.
    struct Program {
        std::shared_ptr<project::Project const> project;
        quint64 revision = 0;              ///< the document's; 0: the document differs from the project
        std::optional<Diagnostic> pending; ///< a warning that edits are not applied
    };

    AppliedConfiguration(Document &document, Console &console, QObject *parent);

    bool isConfigured() const { return m_applied.has_value(); }
    /// In the order of the options; empty before anything is configured.
    std::vector<Change> changes() const;
    /// The first error of the edited configuration: by itself, and with the project and its machine.
    Status check() const;
    /// Requires: a project is open.
    Program begin();
    /// Takes over the edited configuration. Requires: no program runs. Does nothing without changes.
    void apply();
    /// Returns the project to the applied configuration, as one undo step.
    Status discard();

signals:
    void changed(); ///< changes() may have another answer
    void applied(); ///< another configuration than before: what older programs left in memory is void

private:
    Document &m_document;
    Console &m_console;
    std::optional<config::IpuConfig> m_applied;
};

} // namespace tilewright::views
