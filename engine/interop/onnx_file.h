#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"
#include "engine/interop/onnx_graph.h"

#include <filesystem>
#include <string>

namespace tilewright::interop {

/// Reads a file of ONNX. libonnx and protobuf run in a child process with limits on time and memory. Floating-point numbers become float32;
/// numbers in other files are refused. Errors (Invalid): "import.onnx" (damaged, refused by ONNX's checker, or the library failed),
/// "import.too-large" (limits `elements`, `inflated_bytes`); Usage "import.no-onnx": the build has no module.
Result<OnnxGraph> readOnnx(std::filesystem::path const &path, JobContext const &job);

/// The graph as the bytes of a file that ONNX's checker accepts. Errors as readOnnx.
Result<std::string> onnxImage(OnnxGraph const &graph, std::string const &name, JobContext const &job);

/// Whether this build can read and write ONNX.
bool hasOnnx();

} // namespace tilewright::interop
