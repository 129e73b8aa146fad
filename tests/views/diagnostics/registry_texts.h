#pragma once

#include <string>
#include <vector>

namespace tilewright {

/// Texts of a registry: the place ("Dense.units"), and whether the text is prose, which differs between languages. Names, formulas and
/// units can be
/// equal in all.
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
