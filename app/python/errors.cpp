#include "app/python/errors.h"

#include <chrono>

namespace tilewright::python {

namespace {

char const *nameOf(ErrorKind kind)
{
    switch (kind) {
    case ErrorKind::Internal: return "Internal";
    case ErrorKind::Usage: return "Usage";
    case ErrorKind::Invalid: return "Invalid";
    case ErrorKind::DoesNotFit: return "DoesNotFit";
    case ErrorKind::Data: return "Data";
    case ErrorKind::Cancelled: return "Cancelled";
    case ErrorKind::Device: return "Device";
    case ErrorKind::Budget: return "Budget";
    case ErrorKind::CheckFailed: return "CheckFailed";
    case ErrorKind::Numeric: return "Numeric";
    }
    return "Internal";
}

PyObject *errorType = nullptr; ///< lives as long as the interpreter

void raise(Diagnostic const &why)
{
    auto error = py::reinterpret_steal<py::object>(PyObject_CallFunction(errorType, "s", toText(why).c_str()));
    if (!error) return; // the interpreter has an error of its own
    error.attr("code") = why.code;
    error.attr("kind") = nameOf(why.kind);
    error.attr("message") = why.message.text();
    error.attr("subject") = why.subject;
    error.attr("remedy") = why.remedy.text();
    PyErr_SetObject(errorType, error.ptr());
}

std::int64_t now()
{
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace

void defineErrors(py::module_ &module)
{
    errorType = PyErr_NewExceptionWithDoc("_tilewright.Error",
                                          "A problem that the engine found. code: its stable name; kind: Usage, Invalid, DoesNotFit, Data, "
                                          "Cancelled, Device, CheckFailed, Numeric or Internal; message: what is wrong; subject: where; "
                                          "remedy: what to do.",
                                          PyExc_Exception, nullptr);
    module.attr("Error") = py::handle(errorType);
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(thrown);
        } catch (Failure const &failure) {
            raise(failure.diagnostic);
        }
    });
}

PythonJob::PythonJob()
{
    m_context.stop = m_stop.get_token();
    m_context.warnings = &m_warnings;
}

void PythonJob::call(std::function<void()> const &body)
{
    if (m_thrown) return;
    py::gil_scoped_acquire const lock;
    try {
        body();
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (...) {
        m_thrown = std::current_exception();
        m_stop.request_stop();
    }
}

void PythonJob::poll()
{
    if (now() - m_polled < 20) return;
    m_polled = now();
    call([] {});
}

void PythonJob::finish()
{
    if (m_thrown) std::rethrow_exception(std::exchange(m_thrown, nullptr));
}

std::vector<std::string> PythonJob::takeWarnings()
{
    std::vector<std::string> texts;
    for (; m_told < m_warnings.all().size(); ++m_told) texts.push_back(toText(m_warnings.all()[m_told]));
    return texts;
}

} // namespace tilewright::python
