#include "views/training/rate_control.h"

#include "views/common/theme.h"
#include "views/runcontrol/run_controller.h"
#include "views/runcontrol/run_rate.h"
#include "views/session/session.h"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QToolButton>

#include <limits>

namespace tilewright::views {

namespace {

QString rateText(double rate) { return QLocale().toString(rate, 'g', 6); }

} // namespace

RateControl::RateControl(Session &session, QWidget *parent) : QWidget(parent), m_session(session)
{
    auto *label = new QLabel(QCoreApplication::translate("views", "Learning rate"), this);
    m_rate = new QLineEdit(this);
    m_rate->setObjectName(QStringLiteral("learningRate"));
    m_rate->setAccessibleName(tr("Learning rate of the run"));
    m_rate->setFixedWidth(m_rate->fontMetrics().averageCharWidth() * 14);
    label->setBuddy(m_rate);
    m_set = new QToolButton(this);
    m_set->setObjectName(QStringLiteral("setLearningRate"));
    m_set->setText(tr("Set"));
    m_set->setToolTip(
        tr("Sets the learning rate for the steps that follow. Nothing is compiled, and the report's log records the change."));
    m_note = new QLabel(this);
    m_note->setProperty("role", "secondary");
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    for (QWidget *widget : std::initializer_list<QWidget *>{label, m_rate, m_set, m_note}) row->addWidget(widget);
    connect(m_rate, &QLineEdit::returnPressed, this, &RateControl::apply);
    connect(m_rate, &QLineEdit::textEdited, this, [this] {
        m_refusal.clear();
        m_note->clear();
    });
    connect(m_set, &QToolButton::clicked, this, &RateControl::apply);
    connect(&RunRate::of(session.runs()), &RunRate::changed, this, &RateControl::refresh);
    connect(&session.runs(), &RunController::stateChanged, this, &RateControl::refresh);
    refresh();
}

void RateControl::refresh()
{
    auto const &live = m_session.runs().live();
    auto const &rate = RunRate::of(m_session.runs());
    bool const works = live.kind == QLatin1String("train") && (live.state == RunState::Running || live.state == RunState::Paused);
    bool const shown = works && rate.isKnown();
    if (!shown) m_refusal.clear();
    setVisible(shown);
    if (!shown) return;
    bool const settable = rate.now().has_value();
    m_rate->setEnabled(settable);
    m_set->setEnabled(settable);
    m_rate->setToolTip(settable ? m_set->toolTip() : tr("A schedule computes the learning rate on the device."));
    // What a person types stays until it is set.
    if (!m_rate->hasFocus() || !m_rate->isModified())
        m_rate->setText(settable ? rateText(rate.wanted().value_or(*rate.now())) : tr("by schedule"));
    m_note->setText(!m_refusal.isEmpty() ? m_refusal
                        : rate.wanted()  ? tr("now %1, from the next step %2").arg(rateText(*rate.now()), rateText(*rate.wanted()))
                                         : QString());
    m_note->setVisible(!m_note->text().isEmpty());
}

void RateControl::apply()
{
    bool isNumber = false;
    double rate = QLocale().toDouble(m_rate->text().trimmed(), &isNumber);
    if (!isNumber) rate = m_rate->text().trimmed().toDouble(&isNumber); // as programs write it
    m_rate->setModified(false);
    m_refusal = RunRate::of(m_session.runs()).set(isNumber ? rate : std::numeric_limits<double>::quiet_NaN());
    if (!m_refusal.isEmpty()) m_rate->setModified(true);
    refresh();
}

} // namespace tilewright::views
