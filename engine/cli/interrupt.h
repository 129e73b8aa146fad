#pragma once

#include <memory>
#include <stop_token>

namespace tilewright::cli {

/// Turns Ctrl-C (SIGINT) and SIGTERM into a stop request while it lives. The second signal ends the process at
/// once with the exit code of a cancelled command: files are only ever replaced whole or written in
/// transactions, so they stay valid. One at a time. Requires: no thread was started before it.
class InterruptWatch {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(InterruptWatch const &) = delete;
    InterruptWatch &operator=(InterruptWatch const &) = delete;

    std::stop_token token() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Lets the signals through again: for a program that takes this one's place and would inherit the block.
void allowInterrupts();

} // namespace tilewright::cli
