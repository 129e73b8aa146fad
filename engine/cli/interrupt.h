#pragma once

#include <memory>
#include <stop_token>
#include <string>

namespace tilewright::cli {

/// What a process that is ended from outside its command's work says last.
struct Farewell {
    std::string out; ///< to stdout: the JSON error, where JSON is wanted
    std::string err; ///< to stderr
};

/// Turns Ctrl-C (SIGINT), SIGTERM and the loss of the terminal (SIGHUP) into a stop request while it lives. Commands
/// heed it where they can; one that has nothing to save (it waits, reads, compiles) is ended within a second all the
/// same. One that keeps results ends by itself, after its step and what it saves. A second signal ends the process at
/// once. Both by force have the exit code of a cancelled command: files are only ever replaced whole or written in
/// transactions, so they stay valid. One at a time. Requires: no thread was started before it.
class InterruptWatch {
public:
    explicit InterruptWatch(Farewell farewell = {});
    ~InterruptWatch();
    InterruptWatch(InterruptWatch const &) = delete;
    InterruptWatch &operator=(InterruptWatch const &) = delete;

    std::stop_token token() const;
    /// From now on there is something to save.
    void keepResults();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Lets the signals through again: for a program that takes this one's place and would inherit the block.
void allowInterrupts();

} // namespace tilewright::cli
