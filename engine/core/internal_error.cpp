#include "engine/core/internal_error.h"

#include "engine/core/host_memory.h"

#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>

namespace tilewright {

namespace {

thread_local WorkStage const *innermost = nullptr;

/// The stage whose beginning fails; guarded by the mutex, and looked at without it.
std::atomic<bool> anyFails{false};
std::mutex failingMutex;
std::string failingKind;

bool takesFailure(std::string_view kind)
{
    std::lock_guard const lock(failingMutex);
    if (kind != failingKind) return false;
    failingKind.clear();
    anyFails = false;
    return true;
}

/// The path of a source file inside the tree.
std::string_view inTree(std::string_view file)
{
    for (std::string_view const folder : {"/tests/", "/engine/", "/views/", "/app/"})
        if (auto const at = file.rfind(folder); at != std::string_view::npos) return file.substr(at + 1);
    return file;
}

} // namespace

WorkStage::WorkStage(std::string_view kind, std::string_view name) : m_outer(innermost), m_kind(kind), m_name(name)
{
    innermost = this;
    if (!anyFails.load(std::memory_order_relaxed) || !takesFailure(kind)) return;
    auto const stage = text();
    innermost = m_outer; // a constructor that throws has no destructor
    throw InternalError("injected", std::string(inTree(__FILE__)) + ":" + std::to_string(__LINE__), "a check was told to fail here", stage);
}

WorkStage::~WorkStage() { innermost = m_outer; }

WorkStage const *WorkStage::current() { return innermost; }

std::string WorkStage::text()
{
    std::string all;
    for (auto const *stage = innermost; stage; stage = stage->m_outer) {
        std::string one(stage->m_kind);
        if (!stage->m_name.empty()) one += " " + std::string(stage->m_name);
        all = all.empty() ? one : one + ", " + all;
    }
    return all;
}

WorkStage::Adopted::Adopted(WorkStage const *stage) : m_before(innermost) { innermost = stage; }

WorkStage::Adopted::~Adopted() { innermost = m_before; }

void failNextStage(std::string kind)
{
    std::lock_guard const lock(failingMutex);
    failingKind = std::move(kind);
    anyFails = !failingKind.empty();
}

InternalError::InternalError(std::string condition, std::string place, std::string detail, std::string stage)
    : m_stage(std::move(stage)), m_text(Message::of("an internal check failed: %1 (%2, %3)", detail, condition, place))
{
}

Diagnostic InternalError::diagnostic() const
{
    return makeError(ErrorKind::Internal, "internal.check", m_stage.empty() ? "tilewright" : m_stage, Message::of("%1.", m_text));
}

void failCheck(char const *condition, char const *file, int line, std::string const &detail)
{
    throw InternalError(condition, std::string(inTree(file)) + ":" + std::to_string(line), detail, WorkStage::text());
}

Diagnostic currentException(std::string const &subject, Message const &what)
{
    try {
        throw;
    } catch (InternalError const &error) {
        return error.diagnostic();
    } catch (std::bad_alloc const &) {
        return outOfHostMemory(subject, what);
    } catch (std::length_error const &) { // more than any memory
        return outOfHostMemory(subject, what);
    } catch (std::exception const &error) {
        return makeError(ErrorKind::Internal, "internal.exception", subject, Message::of("%1.", error.what()));
    }
}

} // namespace tilewright
