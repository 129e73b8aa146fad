#pragma once

#include "engine/core/result.h"
#include "engine/project/project.h"

#include <string>
#include <vector>

namespace tilewright::interop {

/// A project as a script for TensorFlow 2 on IPUs: configuration, strategy, model, stages, compile and fit. `tilewright python` trains it
/// to the weights of `tilewright train`.
struct PythonScript {
    std::string text;
    bool readsArrays = false;        ///< from the .npz that was named, by the names of inputs and outputs
    double scale = 1;                ///< of its inputs: that of the data, if they are whole numbers
    std::vector<Diagnostic> leftOut; ///< what has no place in a script and changes no weight
};

/// The first line of each script that this program wrote.
inline constexpr char kPythonHead[] = "# Written by Tilewright.";

/// `arrays`: name of the .npz beside the script, for data that no script can load by name. `scale`: factor from the stored inputs to those
/// of the model. Errors: those of model::resolve; Invalid "export.python" with the field or layer that a script cannot express.
Result<PythonScript> pythonScript(project::Project const &project, std::string const &arrays, double scale);

/// Whether a script loads the data by name: the drawn digits, which stand in for MNIST.
bool isMnist(project::Project const &project);

} // namespace tilewright::interop
