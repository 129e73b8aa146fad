#include "views/memory/step_bar.h"

#include "views/common/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace tilewright::views {

namespace {
constexpr int kPlayMs = 120;
}

StepBar::StepBar(QWidget *parent) : QWidget(parent)
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    auto *label = new QLabel(tr("Step"), this);
    label->setProperty("role", "secondary");
    m_number = new QSpinBox(this);
    m_number->setAccessibleName(tr("Liveness step"));
    label->setBuddy(m_number);
    m_slider = new QSlider(Qt::Horizontal, this);
    m_slider->setAccessibleName(tr("Liveness step"));
    m_play = new QToolButton(this);
    m_play->setText(tr("Play"));
    m_play->setCheckable(true);
    m_play->setProperty("role", "word");
    m_play->setToolTip(tr("Go through the steps one after the other"));
    m_text = new QLabel(this);
    m_text->setMinimumWidth(0);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(label);
    row->addWidget(m_number);
    row->addWidget(m_slider, 2);
    row->addWidget(m_play);
    row->addWidget(m_text, 3);
    m_timer = new QTimer(this);
    m_timer->setInterval(kPlayMs);
    connect(m_slider, &QSlider::valueChanged, this, &StepBar::go);
    connect(m_number, &QSpinBox::valueChanged, this, &StepBar::go);
    connect(m_timer, &QTimer::timeout, this, [this] {
        if (!isVisible() || m_step + 1 >= m_steps) return m_play->setChecked(false);
        go(m_step + 1);
    });
    connect(m_play, &QToolButton::toggled, this, [this](bool on) {
        if (!on) return m_timer->stop();
        if (m_step + 1 >= m_steps) go(0);
        m_timer->start();
    });
}

void StepBar::setSteps(int steps, std::function<QString(int)> name)
{
    m_steps = steps;
    m_name = std::move(name);
    QSignalBlocker const a(m_slider), b(m_number);
    m_slider->setRange(0, std::max(0, steps - 1));
    m_number->setRange(0, std::max(0, steps - 1));
    setEnabled(steps > 0);
    show(std::clamp(m_step, 0, std::max(0, steps - 1)));
}

void StepBar::show(int step)
{
    m_step = step;
    QSignalBlocker const a(m_slider), b(m_number);
    m_slider->setValue(step);
    m_number->setValue(step);
    QString const text = m_name && step < m_steps ? m_name(step) : QString();
    m_text->setText(text);
    m_text->setToolTip(text);
}

void StepBar::setStep(int step) { show(std::clamp(step, 0, std::max(0, m_steps - 1))); }

void StepBar::go(int step)
{
    step = std::clamp(step, 0, std::max(0, m_steps - 1));
    if (step == m_step) return;
    show(step);
    emit stepChanged(step);
}

} // namespace tilewright::views
