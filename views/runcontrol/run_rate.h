#pragma once

#include <QObject>
#include <QString>

#include <optional>

namespace tilewright::views {

class RunController;

/// The learning rate of the active training: what it is, and what a person wants it to be for the steps that follow.
class RunRate : public QObject {
    Q_OBJECT
public:
    /// The instance of a controller, destroyed with it.
    static RunRate &of(RunController &runs);

    std::optional<double> now() const { return m_now; }       ///< none: not known yet, or a schedule computes it on the device
    bool isKnown() const { return m_known; }                  ///< the run has told whether it has one
    std::optional<double> wanted() const { return m_wanted; } ///< set, and not applied yet: it comes with the next step
    /// Sets the rate for the steps that follow; nothing is compiled. The report's log records it. Returns the reason if that is not
    /// possible, or "".
    QString set(double rate);
signals:
    void changed();
    void asked(double rate); ///< for the run's thread

private:
    friend class RunController;
    explicit RunRate(RunController &runs);
    void begin(); ///< a run begins
    /// The run has another rate, set by a person or by a callback. Returns whether a person wanted it.
    bool take(std::optional<double> rate);
    RunController &m_runs;
    std::optional<double> m_now, m_wanted;
    bool m_known = false;
};

} // namespace tilewright::views
