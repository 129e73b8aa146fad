#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace tilewright::cli {

/// The last output of a process that is ended from outside the command's code.
struct Farewell {
    std::string out; ///< to stdout: the JSON error, where JSON is wanted
    std::string err; ///< to stderr
};

/// Turns Ctrl-C (SIGINT), SIGTERM and loss of the terminal (SIGHUP) into a stop request while it lives. A command without results (it
/// waits, reads, compiles) is ended within a second even if it does not react. A command with results ends by itself after its step and its
/// saves. A second signal ends the process immediately. Both forced ends use the exit code of a cancelled command; files stay valid,
/// because they are only replaced whole or written in transactions. One at a time. Requires: no thread was started before it.
class InterruptWatch {
public:
    explicit InterruptWatch(Farewell farewell = {});
    ~InterruptWatch();
    InterruptWatch(InterruptWatch const &) = delete;
    InterruptWatch &operator=(InterruptWatch const &) = delete;

    std::stop_token token() const;
    /// From now on there are results to save.
    void keepResults();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Unblocks the signals, for a program that replaces this one and would inherit the block.
void allowInterrupts();

} // namespace tilewright::cli
