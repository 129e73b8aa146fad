#pragma once

#include "engine/model/stage_cut.h"
#include "engine/project/project.h"

#include <QObject>
#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QTimer;

namespace tilewright::views {

class Session;

/// Costs of the open project's layers for pipeline stages: first an estimate from multiply-adds, then the compiler's cycles after want()
/// and a compile in the background (runtime::layerCosts). Shared by all displays and proposals of stages. Costs stay valid while edits
/// change only stages, schedule or micro-batches.
class LayerCostWatch : public QObject {
    Q_OBJECT
public:
    /// The instance of a session, created on first use and destroyed with the session.
    static LayerCostWatch &of(Session &session);

    /// Starts a compile for cycles of the current project unless they are known or being computed.
    void want();
    /// The best known costs of the current or a tried project; their `unit` tells which. nullopt if the model does not resolve.
    std::optional<model::CutCosts> costs(project::Project const &project) const;
    /// The cheapest cuts of the open project, for its model or another one.
    std::function<Result<std::vector<int>>(model::Model const &model, int stages)> proposer() const;
signals:
    void changed();

private:
    explicit LayerCostWatch(Session &session);
    void start();
    Session &m_session;
    QTimer *m_delay;
    std::optional<project::Project> m_of;    ///< the project compiled for m_cycles (runtime::singleIpu)
    std::optional<model::CutCosts> m_cycles; ///< nullopt: it does not compile
    std::optional<project::Project> m_asked; ///< the project being compiled
    bool m_wanted = false;                   ///< requested while a run used the processor
};

/// "cycles of the compiler", "estimated from multiply-adds": translated.
QString costsText(model::CostUnit unit);

} // namespace tilewright::views
