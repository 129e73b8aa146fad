#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QSlider;
class QSpinBox;
class QTimer;
class QToolButton;

namespace tilewright::views {

/// Chooses a liveness step: slider, number, name of the step, and a play button.
class StepBar : public QWidget {
    Q_OBJECT
public:
    explicit StepBar(QWidget *parent = nullptr);
    void setSteps(int steps, std::function<QString(int)> name);
    int step() const { return m_step; }
    void setStep(int step); ///< emits no signal
signals:
    void stepChanged(int step);

private:
    void go(int step);
    void show(int step);
    int m_step = 0, m_steps = 0;
    std::function<QString(int)> m_name;
    QSlider *m_slider = nullptr;
    QSpinBox *m_number = nullptr;
    QLabel *m_text = nullptr;
    QToolButton *m_play = nullptr;
    QTimer *m_timer = nullptr;
};

} // namespace tilewright::views
