#pragma once

namespace tilewright {

/// The first thing a program does, before any thread. A closed pipe and a limit of file sizes become errors of the
/// calls that meet them (EPIPE, EFBIG) instead of ending the process. Standard streams that the caller closed are
/// opened on nothing: no file of ours gets their numbers, and writing to stdout still fails.
void prepareProcess();

} // namespace tilewright
