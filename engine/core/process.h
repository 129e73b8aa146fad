#pragma once

namespace tilewright {

/// Prepares the process. Call it first, before any thread starts. A closed pipe and a limit on file sizes then become errors of the calls
/// (EPIPE, EFBIG) instead of ending the process. Closed standard streams are opened on nothing, so that no file gets their descriptors;
/// writing to stdout still fails.
void prepareProcess();

} // namespace tilewright
