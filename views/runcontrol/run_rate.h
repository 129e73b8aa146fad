#pragma once

#include <QObject>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace tilewright::views {

class RunController;

/// A rate of a training and the step after which it came; the first one of a run came before its first step.
struct RateChange {
    std::int64_t after = 0;
    double rate = 0;
    bool operator==(RateChange const &) const = default;
};

/// The learning rate of the active training: what it is, and what a person wants it to be for the steps that follow.
class RunRate : public QObject {
    Q_OBJECT
public:
    /// The instance of a controller, destroyed with it.
    static RunRate &of(RunController &runs);

    std::optional<double> now() const { return m_now; }       ///< none: not known yet, or a schedule computes it on the device
    bool isKnown() const { return m_known; }                  ///< the run has told whether it has one
    std::optional<double> wanted() const { return m_wanted; } ///< set, and not applied yet: it comes with the next step
    /// All rates of the run so far: that of its first step, then each change by a person or a callback, at most kMostRates (the newest).
    std::vector<RateChange> const &changes() const { return m_changes; }
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
    /// The run has another rate after `step`, set by a person or by a callback. Returns whether a person wanted it.
    bool take(std::optional<double> rate, std::int64_t step);
    RunController &m_runs;
    std::optional<double> m_now, m_wanted;
    std::vector<RateChange> m_changes;
    bool m_known = false;
};

} // namespace tilewright::views
