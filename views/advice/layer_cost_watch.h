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

/// What the layers of the open project cost where it is cut into pipeline stages: at once an estimate from multiply-adds, and the
/// compiler's cycles once somebody has wanted them and a compile in the background is done (runtime::layerCosts). One for everybody who
/// shows or proposes stages. Costs stay while an edit changes nothing of what they depend on: other stages, another schedule, more
/// micro-batches.
class LayerCostWatch : public QObject {
    Q_OBJECT
public:
    /// That of a session, made when first asked for; it goes with the session.
    static LayerCostWatch &of(Session &session);

    /// Begins to find cycles for the project as it is. Nothing happens while they are known or on their way.
    void want();
    /// For the project as it is or as somebody tries it: the best that is known, which `unit` of it says. Nothing where the model does not
    /// resolve.
    std::optional<model::CutCosts> costs(project::Project const &project) const;
    /// Cuts of the open project, of this or another model, that cost least.
    std::function<Result<std::vector<int>>(model::Model const &model, int stages)> proposer() const;
signals:
    void changed();

private:
    explicit LayerCostWatch(Session &session);
    void start();
    Session &m_session;
    QTimer *m_delay;
    std::optional<project::Project> m_of;    ///< what was compiled for m_cycles (runtime::singleIpu)
    std::optional<model::CutCosts> m_cycles; ///< nothing: it does not compile
    std::optional<project::Project> m_asked; ///< what is on its way
    bool m_wanted = false;                   ///< while a run held the processor
};

/// "cycles of the compiler", "estimated from multiply-adds": translated.
QString costsText(model::CostUnit unit);

} // namespace tilewright::views
