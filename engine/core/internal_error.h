#pragma once

#include "engine/core/result.h"

#include <exception>
#include <string>
#include <string_view>
#include <type_traits>

namespace tilewright {

/// Names the current work of this thread while it lives: the report of a failed check says it. Stages nest. A stage costs a few
/// stores; both texts must outlive it.
class WorkStage {
public:
    explicit WorkStage(std::string_view kind, std::string_view name = {});
    ~WorkStage();
    WorkStage(WorkStage const &) = delete;
    WorkStage &operator=(WorkStage const &) = delete;

    /// The innermost stage of this thread; nullptr: none.
    static WorkStage const *current();
    /// All stages of this thread, outermost first: "compile mnist-mlp, lowering Dense/MatMul".
    static std::string text();

    /// A thread that works for another one takes over its stages while this lives. Requires: the other thread waits meanwhile.
    class Adopted {
    public:
        explicit Adopted(WorkStage const *stage);
        ~Adopted();
        Adopted(Adopted const &) = delete;
        Adopted &operator=(Adopted const &) = delete;

    private:
        WorkStage const *m_before;
    };

private:
    WorkStage const *m_outer;
    std::string_view m_kind, m_name;
};

/// Lets a check fail when the next stage of that kind begins, once: to try how failures are reported. Empty: no stage. The programs
/// take it from the variable TILEWRIGHT_FAIL_STAGE.
void failNextStage(std::string kind);

/// A failed TW_CHECK. It unwinds to the boundary of its job, which turns it into a Diagnostic.
class InternalError : public std::exception {
public:
    InternalError(std::string condition, std::string place, std::string detail, std::string stage);
    char const *what() const noexcept override { return m_text.c_str(); }
    /// Internal "internal.check"; the subject is the stage, the message holds detail, condition and place.
    Diagnostic diagnostic() const;

private:
    std::string m_stage;
    Message m_text;
};

/// What the exception being handled is to a user: missing memory ("host.memory"), a failed check ("internal.check"), or another
/// exception of the program ("internal.exception"). Requires: an exception is being handled. Rethrows what is no std::exception.
Diagnostic currentException(std::string const &subject, Message const &what);

/// The boundary of a job: the Result or Status of the work, or the error of the exception that ended it. `what` names the job's object as
/// the subject of a sentence: "the data set".
template <typename Work> std::invoke_result_t<Work const &> guarded(std::string const &subject, Message const &what, Work const &work)
{
    try {
        return work();
    } catch (...) {
        return currentException(subject, what);
    }
}

} // namespace tilewright
