#include "engine/model/rate_expression.h"

#include "engine/core/json_text.h"
#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace tilewright::model {

namespace {

constexpr int kMostNesting = 64;

/// A parser that computes what it reads. After a mistake it reads on without meaning; `problem` is the first one.
class Expression {
public:
    Expression(std::string_view text, double epoch, double rate) : m_text(text), m_epoch(epoch), m_rate(rate) {}

    Result<double> value(std::string const &subject)
    {
        double const result = choice();
        skip();
        if (m_at < m_text.size()) fail(Message::of("unexpected text"));
        if (!m_problem) return result;
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject,
                         Message::of("%1 at '%2'", *m_problem, std::string(m_text.substr(std::min(m_failed, m_text.size()), 20))),
                         Message::of("write it like lr * 0.9 if epoch >= 10 else lr, or give a table such as {\"0\": 0.1, \"10\": 0.01}"));
    }

private:
    void fail(Message what)
    {
        if (m_problem) return;
        m_problem = std::move(what);
        m_failed = m_at;
    }
    void skip()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n')) ++m_at;
    }
    static bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
    bool take(std::string_view token)
    {
        skip();
        if (!m_text.substr(m_at).starts_with(token)) return false;
        bool const word = isLetter(token.front());
        if (word && m_at + token.size() < m_text.size() && isLetter(m_text[m_at + token.size()])) return false;
        m_at += token.size();
        return true;
    }

    double choice()
    {
        double const yes = comparison();
        if (!take("if")) return yes;
        bool const holds = comparison() != 0;
        if (!take("else")) fail(Message::of("'if' without 'else'"));
        double const no = deeper([&] { return choice(); });
        return holds ? yes : no;
    }
    double comparison()
    {
        double const left = sum();
        if (take("<=")) return left <= sum();
        if (take(">=")) return left >= sum();
        if (take("==")) return left == sum();
        if (take("!=")) return left != sum();
        if (take("<")) return left < sum();
        if (take(">")) return left > sum();
        return left;
    }
    double sum()
    {
        double left = product();
        for (;;) {
            if (take("+")) left += product();
            else if (take("-")) left -= product();
            else return left;
        }
    }
    double product()
    {
        double left = sign();
        for (;;) {
            skip();
            if (m_text.substr(m_at).starts_with("**")) return left;
            if (take("*")) left *= sign();
            else if (take("//")) left = std::floor(left / sign());
            else if (take("/")) left /= sign();
            else return left;
        }
    }
    double sign()
    {
        if (take("-")) return -deeper([&] { return sign(); });
        double const base = primary();
        return take("**") ? std::pow(base, deeper([&] { return sign(); })) : base;
    }
    double primary()
    {
        skip();
        if (take("(")) {
            double const inner = deeper([&] { return choice(); });
            if (!take(")")) fail(Message::of("')' is missing"));
            return inner;
        }
        if (take("epoch")) return m_epoch;
        if (take("lr")) return m_rate;
        for (auto const *name : {"exp", "log", "sqrt", "cos", "floor", "min", "max"})
            if (take(name)) return call(name);
        return number();
    }
    double call(std::string_view name)
    {
        std::vector<double> arguments;
        if (!take("(")) fail(Message::of("'(' is missing"));
        do {
            arguments.push_back(deeper([&] { return choice(); }));
        } while (!m_problem && take(","));
        if (!take(")")) fail(Message::of("')' is missing"));
        bool const several = name == "min" || name == "max";
        if (!several && arguments.size() != 1) fail(Message::of("the function takes one number"));
        if (name == "min") return *std::ranges::min_element(arguments);
        if (name == "max") return *std::ranges::max_element(arguments);
        double const x = arguments.front();
        return name == "exp" ? std::exp(x)
            : name == "log"  ? std::log(x)
            : name == "sqrt" ? std::sqrt(x)
            : name == "cos"  ? std::cos(x)
                             : std::floor(x);
    }
    double number()
    {
        auto const begin = m_at;
        auto const digits = [&] {
            while (m_at < m_text.size() && ((m_text[m_at] >= '0' && m_text[m_at] <= '9') || m_text[m_at] == '.')) ++m_at;
        };
        digits();
        if (m_at > begin && m_at < m_text.size() && (m_text[m_at] == 'e' || m_text[m_at] == 'E')) {
            auto const before = m_at++;
            if (m_at < m_text.size() && (m_text[m_at] == '-' || m_text[m_at] == '+')) ++m_at;
            if (m_at == m_text.size() || m_text[m_at] < '0' || m_text[m_at] > '9') m_at = before;
            else digits();
        }
        auto const value = parseReal(m_text.substr(begin, m_at - begin));
        if (value) return *value;
        m_at = begin;
        fail(Message::of("a number, 'epoch' or 'lr' is missing"));
        m_at = m_text.size();
        return 0;
    }
    template <typename Body> double deeper(Body const &body)
    {
        if (m_depth >= kMostNesting) {
            fail(Message::of("the expression is nested too deeply"));
            m_at = m_text.size();
            return 0;
        }
        ++m_depth;
        double const value = body();
        --m_depth;
        return value;
    }
    std::string_view m_text;
    double m_epoch, m_rate;
    std::size_t m_at = 0, m_failed = 0;
    int m_depth = 0;
    std::optional<Message> m_problem;
};

Result<double> rateOfTable(nlohmann::json const &table, std::int64_t epoch, double rate, std::string const &subject)
{
    auto const bad = [&](Message what) {
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject, std::move(what),
                         Message::of("give a list of rates, or an object such as {\"0\": 0.1, \"10\": 0.01}"));
    };
    if (table.is_discarded()) return bad(Message::of("the table of rates is not JSON"));
    if (table.empty()) return bad(Message::of("the table of rates is empty"));
    for (auto const &entry : table)
        if (!entry.is_number()) return bad(Message::of("a rate of the table is not a number"));
    if (table.is_array()) return table[std::min<std::size_t>(static_cast<std::size_t>(epoch), table.size() - 1)].get<double>();
    std::optional<std::int64_t> latest;
    for (auto const &[key, entry] : table.items()) {
        auto const from = parseInteger(key);
        if (!from || *from < 0) return bad(Message::of("'%1' is not the number of an epoch", key));
        if (*from > epoch || (latest && *from < *latest)) continue;
        latest = from;
        rate = entry.get<double>();
    }
    return rate;
}

} // namespace

bool usesRate(std::string_view schedule)
{
    if (schedule.starts_with('[') || schedule.starts_with('{')) return false;
    auto const isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9'); };
    for (auto at = schedule.find("lr"); at != std::string_view::npos; at = schedule.find("lr", at + 1))
        if ((at == 0 || !isLetter(schedule[at - 1])) && (at + 2 == schedule.size() || !isLetter(schedule[at + 2]))) return true;
    return false;
}

Result<double> rateOfEpoch(std::string_view schedule, std::int64_t epoch, double rate, std::string const &subject)
{
    bool const isTable = schedule.starts_with('[') || schedule.starts_with('{');
    auto const made = isTable ? rateOfTable(jsonOrDiscarded(schedule), epoch, rate, subject)
                              : Expression(schedule, static_cast<double>(epoch), rate).value(subject);
    // The device holds rates as float32.
    constexpr double kMost = std::numeric_limits<float>::max();
    if (!made.ok() || (*made >= 0 && *made <= kMost)) return made;
    return makeError(ErrorKind::Invalid, "model.bad-argument", subject,
                     Message::of("the rate of epoch %1 is %2", epoch, Argument::figure(numberText(*made))),
                     Message::of("give rates from 0 to %1", Argument::figure("3.4e38")));
}

} // namespace tilewright::model
