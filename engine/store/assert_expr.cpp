#include "engine/core/ascii.h"
#include "engine/core/text.h"
#include "engine/store/report_values.h"

#include <charconv>
#include <cmath>

namespace tilewright::store {

namespace {

class Parser {
public:
    Parser(std::string const &text, std::map<std::string, double> const &values) : m_text(text), m_values(values) {}

    Result<AssertResult> run()
    {
        AssertResult result{m_text, true, 0};
        for (bool first = true;; first = false) {
            TW_ASSIGN(double const left, sum());
            TW_ASSIGN(std::string const comparison, comparator());
            TW_ASSIGN(double const right, sum());
            result.met = result.met && holds(left, comparison, right);
            if (first) result.value = left;
            skip();
            if (m_at == m_text.size()) return result;
            if (!take("&&") && !takeWord("and")) return syntax(Message::of("expected 'and' or the end"));
        }
    }

private:
    static bool holds(double a, std::string const &op, double b)
    {
        if (op == "<") return a < b;
        if (op == "<=") return a <= b;
        if (op == ">") return a > b;
        if (op == ">=") return a >= b;
        if (op == "==") return a == b;
        return a != b;
    }

    Diagnostic syntax(Message const &what) const
    {
        return makeError(ErrorKind::Usage, "assert.syntax", "'" + m_text + "' column " + std::to_string(m_at + 1), what,
                         Message::of("A budget looks like 'max_tile_bytes < 600000'."));
    }
    void skip()
    {
        while (m_at < m_text.size() && isAsciiBlank(m_text[m_at])) ++m_at;
    }
    bool take(std::string_view token)
    {
        skip();
        if (std::string_view(m_text).substr(m_at, token.size()) != token) return false;
        m_at += token.size();
        return true;
    }
    static bool isNameChar(char c) { return isAsciiAlnum(c) || c == '_' || c == '.'; }
    bool takeWord(std::string_view word)
    {
        skip();
        auto const end = m_at + word.size();
        if (std::string_view(m_text).substr(m_at, word.size()) != word || (end < m_text.size() && isNameChar(m_text[end]))) return false;
        m_at = end;
        return true;
    }

    Result<std::string> comparator()
    {
        for (char const *op : {"<=", ">=", "==", "!=", "<", ">"})
            if (take(op)) return std::string(op);
        if (take("=")) return std::string("==");
        return syntax(Message::of("expected one of < <= > >= == !="));
    }
    Result<double> sum()
    {
        TW_ASSIGN(double value, product());
        for (;;) {
            if (take("+")) {
                TW_ASSIGN(double const other, product());
                value += other;
            } else if (take("-")) {
                TW_ASSIGN(double const other, product());
                value -= other;
            } else {
                return value;
            }
        }
    }
    Result<double> product()
    {
        TW_ASSIGN(double value, atom());
        for (;;) {
            if (take("*")) {
                TW_ASSIGN(double const other, atom());
                value *= other;
            } else if (take("/")) {
                TW_ASSIGN(double const other, atom());
                if (other == 0) return syntax(Message::of("division by zero"));
                value /= other;
            } else {
                return value;
            }
        }
    }
    Result<double> atom()
    {
        if (++m_depth > 200) return syntax(Message::of("nested too deep"));
        struct Leave {
            int &depth;
            ~Leave() { --depth; }
        } const leave{m_depth};
        if (take("(")) {
            TW_ASSIGN(double const value, sum());
            if (!take(")")) return syntax(Message::of("expected ')'"));
            return value;
        }
        if (take("-")) {
            TW_ASSIGN(double const value, atom());
            return -value;
        }
        skip();
        if (m_at == m_text.size()) return syntax(Message::of("expected a name or a number"));
        char const c = m_text[m_at];
        if (isAsciiDigit(c) || c == '.') return literal();
        if (isAsciiLetter(c) || c == '_') return name();
        return syntax(Message::of("unexpected '%1'", std::string(1, c)));
    }
    Result<double> literal()
    {
        double value = 0;
        auto const [end, error] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (error != std::errc()) return syntax(Message::of("this number cannot be read"));
        auto const behind = static_cast<std::size_t>(end - m_text.data());
        m_at = behind;
        if (take("%")) return value / 100;
        struct Suffix {
            char const *text;
            double factor;
        };
        for (auto const &suffix : {Suffix{"KiB", 1024.0}, Suffix{"MiB", 1048576.0}, Suffix{"GiB", 1073741824.0}, Suffix{"k", 1e3},
                                   Suffix{"M", 1e6}, Suffix{"G", 1e9}})
            if (takeWord(suffix.text)) return value * suffix.factor;
        m_at = behind;
        if (m_at < m_text.size() && isNameChar(m_text[m_at]))
            return syntax(Message::of("unknown suffix of a number (k, M, G, KiB, MiB, GiB, % exist)"));
        return value;
    }
    Result<double> name()
    {
        auto const begin = m_at;
        while (m_at < m_text.size() && isNameChar(m_text[m_at])) ++m_at;
        std::string const word = m_text.substr(begin, m_at - begin);
        if (auto const it = m_values.find(word); it != m_values.end()) return it->second;
        std::vector<std::string> names;
        for (auto const &[known, value] : m_values) names.push_back(known);
        auto const nearest = nearestName(word, names);
        return makeError(ErrorKind::Usage, "assert.unknown-value", word, Message::of("the report has no value of that name"),
                         nearest.empty() ? Message::of("It has: %1.", joinText(names, ", ")) : Message::of("Did you mean '%1'?", nearest));
    }

    std::string const &m_text;
    std::map<std::string, double> const &m_values;
    std::size_t m_at = 0;
    int m_depth = 0;
};

} // namespace

Result<AssertResult> evaluateAssert(std::string const &expression, std::map<std::string, double> const &values)
{
    return Parser(expression, values).run();
}

} // namespace tilewright::store
