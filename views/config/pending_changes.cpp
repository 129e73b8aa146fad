#include "views/config/pending_changes.h"

#include "views/common/theme.h"
#include "views/runcontrol/applied_configuration.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/session.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace tilewright::views {

namespace {

constexpr std::size_t kShown = 4; ///< changes that are listed one by one

} // namespace

PendingChanges::PendingChanges(Session &session, QWidget *parent)
    : QFrame(parent), m_session(session), m_text(new QLabel(this)), m_apply(new QPushButton(this)), m_discard(new QPushButton(this))
{
    setAccessibleName(tr("Changes that are not applied"));
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::RichText);
    m_apply->setObjectName(QStringLiteral("applyConfiguration"));
    m_discard->setObjectName(QStringLiteral("discardConfiguration"));
    m_discard->setText(tr("Discard"));
    m_discard->setToolTip(tr("Return to the applied configuration"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    row->addWidget(m_text, 1);
    row->addWidget(m_apply);
    row->addWidget(m_discard);
    hide();
    connect(m_apply, &QPushButton::clicked, this, [this] {
        if (auto const status = m_session.runs().applyConfiguration(); !status.ok()) m_session.raiseError(status.error());
    });
    connect(m_discard, &QPushButton::clicked, this, [this] {
        if (auto const status = m_session.runs().configuration().discard(); !status.ok()) m_session.raiseError(status.error());
    });
    connect(&session.runs().configuration(), &AppliedConfiguration::changed, this, &PendingChanges::refresh);
    connect(&session.runs(), &RunController::stateChanged, this, &PendingChanges::refresh);
}

void PendingChanges::refresh()
{
    auto const &runs = m_session.runs();
    auto const changes = runs.configuration().changes();
    setVisible(!changes.empty());
    if (changes.empty()) return;
    QString text =
        QStringLiteral("<b>%1</b>").arg(tr("%Ln change(s) not applied", nullptr, static_cast<int>(changes.size())).toHtmlEscaped());
    auto const escaped = [](QString const &value) { return value.isEmpty() ? QStringLiteral("\"\"") : value.toHtmlEscaped(); };
    for (std::size_t i = 0; i < std::min(changes.size(), kShown); ++i)
        text +=
            QStringLiteral("<br>%1: %2 → %3").arg(changes[i].path.toHtmlEscaped(), escaped(changes[i].applied), escaped(changes[i].edited));
    if (changes.size() > kShown)
        text += QStringLiteral("<br>") + tr("and %Ln more", nullptr, static_cast<int>(changes.size() - kShown)).toHtmlEscaped();
    bool const running = runs.isActive();
    text += QStringLiteral("<br>")
        + (running ? tr("Programs use the applied configuration. Applying the changes ends the running program after its step and "
                        "drops what is in memory of it.")
                   : tr("Programs use the applied configuration."))
              .toHtmlEscaped();
    m_text->setText(text);
    m_apply->setText(running ? tr("End the run and apply") : tr("Apply"));
    m_apply->setEnabled(runs.state() != RunState::Stopping);
}

} // namespace tilewright::views
