#pragma once

#include <QDateTime>
#include <QObject>
#include <QString>

#include <deque>

namespace tilewright::views {

/// One line of the console: the same text as the command line prints, with what it is about.
struct ConsoleLine {
    QDateTime time;
    int level = 1;     ///< 0 debug, 1 info, 2 warning, 3 error
    QString component; ///< compile, device, data, train, …
    QString code;      ///< of a Diagnostic
    QString subject;   ///< layer, option path or file
    QString text;
    int repeats = 1;
};

/// Lines of this session, newest last, at most kConsoleLines; equal lines in a row are counted.
class Console : public QObject {
    Q_OBJECT
public:
    explicit Console(QObject *parent = nullptr) : QObject(parent) {}
    std::deque<ConsoleLine> const &lines() const { return m_lines; }
    qint64 dropped() const { return m_dropped; } ///< how many older ones are gone
    void add(int level, QString const &component, QString const &text, QString const &code = {}, QString const &subject = {});
    /// A line of the engine's log: for the console, not for the one line of the strip.
    void addLog(int level, QString const &component, QString const &text);
    /// The last line that was said to a person since the project on show was opened; empty: none.
    QString said() const;
    int saidLevel() const { return m_saidLevel; } ///< as ConsoleLine::level
    void beginProject()
    {
        m_said.clear();
        emit changed();
    }
    void clear();
signals:
    void changed(); ///< at most once per event loop turn
private:
    std::deque<ConsoleLine> m_lines;
    qint64 m_dropped = 0;
    QString m_said;
    int m_saidLevel = 1;
    bool m_pending = false;
    void append(ConsoleLine line);
};
inline constexpr int kConsoleLines = 100000;

} // namespace tilewright::views
