#pragma once

#include "engine/core/job_context.h"
#include "engine/interop/onnx_graph.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <string>

namespace tilewright::interop {

/// The producer by which our own files are known.
inline constexpr char kOnnxProducer[] = "Tilewright";

/// The project's model with these weights as a graph of ONNX, opset 17, with an open batch. The nodes of a layer are named LAYER/OPERATOR;
/// convolutions with channels last stand between transpositions. modelFromOnnx() of the result gives the same outputs, and the same bits of
/// every weight. Errors: those of model::resolve and of the weights; Invalid "export.onnx-layers", which lists every layer that ONNX cannot
/// express.
Result<OnnxGraph> onnxFromModel(project::Project const &project, runtime::TrainingState const &weights);

/// The same as the bytes of a file, checked by ONNX's own checker. Errors: also those of onnxImage.
Result<std::string> onnxOf(project::Project const &project, runtime::TrainingState const &weights, JobContext const &job);

} // namespace tilewright::interop
