#pragma once

#include <string>
#include <vector>

namespace tilewright {

/// What a registry says to a person: where it stands ("Dense.units"), and whether it is a sentence or the like, which another
/// language says differently; names, formulas and units may be the same in all.
struct RegistryText {
    std::string place, text;
    bool prose = true;
};
struct RegistryPart {
    std::string name;                ///< of its header in translations/: "layers"
    std::vector<RegistryText> texts; ///< each once in all parts, where it comes first
};
/// All texts that windows show of the engine's registries.
std::vector<RegistryPart> registryParts();
/// The same in one list.
std::vector<RegistryText> registryTexts();

} // namespace tilewright
