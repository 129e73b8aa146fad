// The extension module `_tilewright`: the engine's projects and runs with numpy arrays. It knows nothing of Keras's or TensorFlow's
// Python names; the packages over it do.
#include "app/python/errors.h"
#include "app/python/functions.h"
#include "app/python/project_object.h"
#include "app/python/runs.h"
#include "engine/core/build.h"

PYBIND11_MODULE(_tilewright, module)
{
    module.doc() = "Tilewright's engine: projects, trainings, evaluations and predictions on an emulated IPU system.";
    tilewright::python::defineErrors(module);
    tilewright::python::defineProject(module);
    tilewright::python::defineRuns(module);
    tilewright::python::defineFunctions(module);
}
