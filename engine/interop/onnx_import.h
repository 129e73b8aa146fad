#pragma once

#include "engine/interop/import.h"
#include "engine/interop/onnx_graph.h"

#include <string>

namespace tilewright::interop {

/// A graph as a model with its weights: layers of Keras where they compute the same, else layers of class Operation. The first axis of each
/// input is the batch; if a node mixes samples, an input is one sample as a whole, with a warning. Layers take the order of axes that their
/// input has, so that neither images with channels first nor the transpositions of Keras's exporters cost layers. Initializers of
/// floating-point type become weights that are trained; other constants become frozen ones.
/// Errors: Usage "import.onnx-opset"; Invalid "import.open-shape", "import.onnx-input", "import.onnx-output", and "import.onnx-operators",
/// which lists every node that cannot become layers.
Result<Imported> modelFromOnnx(OnnxGraph const &graph, OpenSizes const &sizes, std::string const &file, JobContext const &job);

/// The reader of .onnx in the table of forms.
Result<Imported> readOnnxFile(Sniffed const &file, JobContext const &job);

} // namespace tilewright::interop
