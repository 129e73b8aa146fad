#pragma once

#include "engine/core/message.h"

#include <cstdlib>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tilewright {

enum class Severity { Note, Warning, Error };

/// Kind of an error. The value is the exit code of the command line.
enum class ErrorKind {
    Internal = 1,   ///< a bug of Tilewright
    Usage = 2,      ///< wrong use, or a part of the program is not installed
    Invalid = 3,    ///< the model, a file or the configuration is invalid
    DoesNotFit = 4, ///< out of memory on a tile or on the host
    Data = 5,       ///< data missing, truncated or of a wrong shape
    Cancelled = 6,
    Device = 7,      ///< busy or missing
    Budget = 8,      ///< an --assert is not met
    CheckFailed = 9, ///< verify, conformance, check-report, cache verify
    Numeric = 10     ///< NaN or infinite loss, a floating-point trap
};

/// A problem a user can meet: a value, never an exception. `code` is stable ("model.unknown-layer"), `subject` names the place (a layer,
/// a path, "FILE byte 12"), `message` says what failed and why, `remedy` what to do. Both carry their arguments (Message::of).
struct Diagnostic {
    ErrorKind kind = ErrorKind::Internal;
    Severity severity = Severity::Error;
    std::string code;
    std::string subject;
    Message message;
    Message remedy;
    bool operator==(Diagnostic const &) const = default;
};

/// "subject: message. remedy" in one line of English, for logs and the terminal.
std::string toText(Diagnostic const &diagnostic);

Diagnostic makeError(ErrorKind kind, std::string code, std::string subject, Message message, Message remedy = {});
Diagnostic makeWarning(std::string code, std::string subject, Message message, Message remedy = {});

[[noreturn]] void failCheck(char const *condition, char const *file, int line, std::string const &detail);

/// Always-on check. A mistake of the program throws InternalError (internal_error.h), which ends its job. Input from outside must never
/// fail one.
#define TW_CHECK(condition, detail)                                                                                                        \
    do {                                                                                                                                   \
        if (!(condition)) ::tilewright::failCheck(#condition, __FILE__, __LINE__, (detail));                                               \
    } while (false)

/// Holds a T or the Diagnostic that explains its absence.
template <typename T> class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Diagnostic error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }

    /// Requires: ok().
    T &value() &
    {
        requireOk();
        return *std::get_if<0>(&m_state);
    }
    T const &value() const &
    {
        requireOk();
        return *std::get_if<0>(&m_state);
    }
    T &&value() &&
    {
        requireOk();
        return std::move(*std::get_if<0>(&m_state));
    }
    T &operator*() & { return value(); }
    T const &operator*() const & { return value(); }
    T &&operator*() && { return std::move(*this).value(); }
    T *operator->() { return &value(); }
    T const *operator->() const { return &value(); }

    /// Requires: !ok().
    Diagnostic const &error() const
    {
        TW_CHECK(!ok(), "error() of a Result that holds a value");
        return *std::get_if<1>(&m_state);
    }

private:
    void requireOk() const { TW_CHECK(ok(), toText(*std::get_if<1>(&m_state))); }
    std::variant<T, Diagnostic> m_state;
};

struct Unit {};

/// Success or a Diagnostic. `return {}` is success.
class [[nodiscard]] Status : public Result<Unit> {
public:
    Status() : Result<Unit>(Unit{}) {}
    Status(Diagnostic error) : Result<Unit>(std::move(error)) {}
};

/// Returns the error of a failed Status or Result from the enclosing function.
#define TW_TRY(expression)                                                                                                                 \
    do {                                                                                                                                   \
        auto &&twStatus_ = (expression);                                                                                                   \
        if (!twStatus_.ok()) return twStatus_.error();                                                                                     \
    } while (false)
#define TW_CONCAT_(a, b) a##b
#define TW_CONCAT(a, b) TW_CONCAT_(a, b)
/// `TW_ASSIGN(auto x, f())`: assigns the value of f() to x, or returns its error.
#define TW_ASSIGN(target, expression)                                                                                                      \
    auto TW_CONCAT(twResult_, __LINE__) = (expression);                                                                                    \
    if (!TW_CONCAT(twResult_, __LINE__).ok()) return TW_CONCAT(twResult_, __LINE__).error();                                               \
    target = std::move(TW_CONCAT(twResult_, __LINE__)).value()

/// Receives warnings. One thread at a time.
class DiagnosticSink {
public:
    void add(Diagnostic diagnostic) { m_all.push_back(std::move(diagnostic)); }
    std::vector<Diagnostic> const &all() const { return m_all; }

private:
    std::vector<Diagnostic> m_all;
};

} // namespace tilewright
