#pragma once

namespace tilewright {

/// Makes icons (":/icons/NAME.svg"), the program's pictures (":/app/…") and help (":/help/LANGUAGE/…") known
/// to Qt. A static library's resources are dropped by the linker unless somebody asks for them. Any number of calls.
void initResources();

} // namespace tilewright
