#include "views/diagnostics/console.h"

#include <QMetaObject>

namespace tilewright::views {

void Console::add(int level, QString const &component, QString const &text, QString const &code, QString const &subject)
{
    m_said = text;
    m_saidLevel = level;
    append({QDateTime::currentDateTime(), level, component, code, subject, text, 1});
}

void Console::addLog(int level, QString const &component, QString const &text)
{
    append({QDateTime::currentDateTime(), level, component, {}, {}, text, 1});
}

QString Console::said() const { return m_said; }

void Console::append(ConsoleLine line)
{
    if (!m_lines.empty() && m_lines.back().text == line.text && m_lines.back().component == line.component
        && m_lines.back().level == line.level) {
        ++m_lines.back().repeats;
    } else {
        m_lines.push_back(std::move(line));
        if (static_cast<int>(m_lines.size()) > kConsoleLines) {
            m_lines.pop_front();
            ++m_dropped;
        }
    }
    if (m_pending) return;
    m_pending = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            m_pending = false;
            emit changed();
        },
        Qt::QueuedConnection);
}

void Console::clear()
{
    m_lines.clear();
    m_said.clear();
    m_dropped = 0;
    emit changed();
}

} // namespace tilewright::views
