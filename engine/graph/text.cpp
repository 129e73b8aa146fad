// Text form of a graph, for dumps, golden files and tests. One statement per line:
//   graph "name" stages 2
//   var %v0 "dense/kernel" f32 [784, 256] weight layer "dense" init "…" trainable stage 0
//   region r0 "entry" {
//     %0 "x":f32[32, 784]:input = infeed(%1, …) {k=int 3} name "…" layer "…" pass forward stage 0 inplace [0] var %v0
//   }
// A node's bodies follow it; a body that an earlier call has is `uses r1`.
#include "engine/core/text.h"
#include "engine/graph/graph.h"

#include <charconv>
#include <map>
#include <set>

namespace tilewright::graph {

namespace {

std::string inQuotes(std::string_view text)
{
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n') out += "\\n";
        else out += c;
    }
    return out + "\"";
}

template <typename T, typename F> std::string listText(std::vector<T> const &items, F const &one)
{
    std::string text = "[";
    for (std::size_t i = 0; i < items.size(); ++i) text += (i ? ", " : "") + one(items[i]);
    return text + "]";
}

std::string attrText(AttrValue const &value)
{
    struct Visitor {
        std::string operator()(bool v) const { return v ? "true" : "false"; }
        std::string operator()(std::int64_t v) const { return "int " + std::to_string(v); }
        std::string operator()(double v) const { return "real " + numberText(v); }
        std::string operator()(std::string const &v) const { return inQuotes(v); }
        std::string operator()(std::vector<std::int64_t> const &v) const
        {
            return "ints " + listText(v, [](std::int64_t x) { return std::to_string(x); });
        }
        std::string operator()(std::vector<double> const &v) const
        {
            return "reals " + listText(v, [](double x) { return numberText(x); });
        }
    };
    return std::visit(Visitor{}, value);
}

void printRegion(Graph const &graph, RegionId id, std::string const &indent, std::set<RegionId> &printed, std::string &out)
{
    if (!printed.insert(id).second) {
        out += indent + "uses r" + std::to_string(id.index) + "\n";
        return;
    }
    auto const &region = graph.region(id);
    out += indent + "region r" + std::to_string(id.index) + " " + inQuotes(region.label) + " {\n";
    for (auto nodeId : region.nodes) {
        auto const &node = graph.node(nodeId);
        out += indent + "  ";
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            auto const &value = graph.value(node.outputs[i]);
            out += (i ? ", %" : "%") + std::to_string(node.outputs[i].index) + " " + inQuotes(value.name) + ":"
                + std::string(toText(value.dtype)) + toText(value.shape) + ":" + std::string(toText(value.role));
        }
        if (!node.outputs.empty()) out += " = ";
        out += node.op + "(";
        for (std::size_t i = 0; i < node.inputs.size(); ++i)
            out += (i ? ", %" : "%") + std::to_string(node.inputs[i].index);
        out += ")";
        if (!node.attrs.all().empty()) {
            out += " {";
            bool first = true;
            for (auto const &[key, value] : node.attrs.all()) {
                out += (first ? "" : ", ") + key + "=" + attrText(value);
                first = false;
            }
            out += "}";
        }
        out += " name " + inQuotes(node.name) + " layer " + inQuotes(node.layer) + " pass " + std::string(toText(node.pass))
            + " stage " + std::to_string(node.stage);
        if (!node.inPlace.empty())
            out += " inplace " + listText(node.inPlace, [](int i) { return std::to_string(i); });
        if (node.variable.valid()) out += " var %v" + std::to_string(node.variable.index);
        out += "\n";
        for (auto sub : node.regions) printRegion(graph, sub, indent + "    ", printed, out);
    }
    out += indent + "}\n";
}

/// Recursive-descent reader over the text; any mismatch sets `failed` once and everything unwinds.
class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    Result<Graph> read()
    {
        word("graph");
        m_graph.name = string();
        word("stages");
        m_graph.stages = static_cast<int>(integer());
        while (peekWord("var")) variable();
        if (!m_failed) region();
        space();
        if (m_at != m_text.size()) fail("something follows the entry region");
        if (m_failed) return m_error;
        TW_TRY(verifyStructure(m_graph));
        return std::move(m_graph);
    }

private:
    void fail(std::string what)
    {
        if (m_failed) return;
        m_failed = true;
        m_error = makeError(ErrorKind::Invalid, "graph.text", "offset " + std::to_string(m_at), std::move(what));
    }
    void space()
    {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\n' || m_text[m_at] == '\r')) ++m_at;
    }
    bool take(std::string_view token)
    {
        space();
        if (m_failed || m_text.substr(m_at, token.size()) != token) return false;
        m_at += token.size();
        return true;
    }
    bool peekWord(std::string_view token)
    {
        space();
        return !m_failed && m_text.substr(m_at, token.size()) == token;
    }
    void word(std::string_view token)
    {
        if (!take(token)) fail("expected '" + std::string(token) + "'");
    }
    std::string identifier()
    {
        space();
        std::size_t const start = m_at;
        while (m_at < m_text.size()
               && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_' || m_text[m_at] == '.'))
            ++m_at;
        if (m_at == start) fail("expected a name");
        return std::string(m_text.substr(start, m_at - start));
    }
    std::int64_t integer()
    {
        space();
        std::int64_t value = 0;
        auto const r = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (r.ec != std::errc()) fail("expected a whole number");
        else m_at = static_cast<std::size_t>(r.ptr - m_text.data());
        return value;
    }
    double real()
    {
        space();
        double value = 0;
        auto const r = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (r.ec != std::errc()) fail("expected a number");
        else m_at = static_cast<std::size_t>(r.ptr - m_text.data());
        return value;
    }
    std::string string()
    {
        std::string out;
        word("\"");
        while (!m_failed) {
            if (m_at >= m_text.size()) {
                fail("text ends inside quotes");
                break;
            }
            char const c = m_text[m_at++];
            if (c == '"') break;
            if (c == '\\' && m_at < m_text.size()) {
                char const e = m_text[m_at++];
                out += e == 'n' ? '\n' : e;
            } else {
                out += c;
            }
        }
        return out;
    }
    template <typename T, typename F> std::vector<T> list(F const &one)
    {
        std::vector<T> items;
        word("[");
        if (take("]")) return items;
        while (!m_failed) {
            items.push_back(static_cast<T>(one()));
            if (take("]")) break;
            word(",");
        }
        return items;
    }
    Shape shape() { return list<std::int64_t>([&] { return integer(); }); }
    DType dtype()
    {
        auto const parsed = parseDType(identifier());
        if (!parsed) fail("unknown type");
        return parsed.value_or(DType::F32);
    }
    template <typename E> E enumeration(int count, char const *what)
    {
        auto const name = identifier();
        for (int i = 0; i < count; ++i)
            if (toText(static_cast<E>(i)) == name) return static_cast<E>(i);
        fail(std::string("unknown ") + what + " '" + name + "'");
        return E{};
    }
    void variable()
    {
        word("var");
        word("%v");
        if (integer() != static_cast<std::int64_t>(m_graph.variables.size())) fail("variables are numbered in order");
        Variable v;
        v.name = string();
        v.dtype = dtype();
        v.shape = shape();
        v.role = enumeration<Role>(10, "role");
        word("layer");
        v.layer = string();
        word("init");
        v.initializer = string();
        v.trainable = take("trainable");
        word("stage");
        v.stage = static_cast<int>(integer());
        m_graph.variables.push_back(std::move(v));
    }
    AttrValue attr()
    {
        if (take("true")) return true;
        if (take("false")) return false;
        if (take("ints")) return list<std::int64_t>([&] { return integer(); });
        if (take("int")) return integer();
        if (take("reals")) return list<double>([&] { return real(); });
        if (take("real")) return real();
        return string();
    }
    ValueId valueRef()
    {
        word("%");
        auto const number = integer();
        auto const it = m_values.find(number);
        if (it == m_values.end()) {
            fail("value %" + std::to_string(number) + " is not defined");
            return {};
        }
        return it->second;
    }
    /// The body of an earlier call.
    RegionId knownRegion()
    {
        auto const number = integer();
        auto const it = m_regions.find(number);
        if (it != m_regions.end()) return it->second;
        fail("region r" + std::to_string(number) + " is not defined");
        return {};
    }
    RegionId region()
    {
        if (++m_depth > 64) fail("regions nest too deeply");
        word("region");
        word("r");
        auto const printed = integer();
        RegionId const id = addRegion(m_graph, string());
        m_regions[printed] = id;
        word("{");
        while (!m_failed && !take("}")) {
            NodeId const nodeId(m_graph.nodes.size());
            m_graph.nodes.emplace_back();
            Node node;
            std::vector<std::pair<std::int64_t, ValueId>> results;
            if (peekWord("%")) {
                do {
                    word("%");
                    auto const number = integer();
                    Value value;
                    value.name = string();
                    word(":");
                    value.dtype = dtype();
                    value.shape = shape();
                    word(":");
                    value.role = enumeration<Role>(10, "role");
                    value.producer = nodeId;
                    ValueId const valueId(m_graph.values.size());
                    m_graph.values.push_back(std::move(value));
                    node.outputs.push_back(valueId);
                    results.emplace_back(number, valueId);
                } while (take(","));
                word("=");
            }
            node.op = identifier();
            word("(");
            if (!take(")")) {
                do node.inputs.push_back(valueRef());
                while (!m_failed && take(","));
                word(")");
            }
            if (take("{")) {
                do {
                    auto key = identifier();
                    word("=");
                    node.attrs.set(std::move(key), attr());
                } while (!m_failed && take(","));
                word("}");
            }
            word("name");
            node.name = string();
            word("layer");
            node.layer = string();
            word("pass");
            node.pass = enumeration<Pass>(5, "pass");
            word("stage");
            node.stage = static_cast<int>(integer());
            if (take("inplace")) node.inPlace = list<int>([&] { return integer(); });
            if (peekWord("var %v")) { // not the next line's variable.read
                word("var");
                word("%v");
                node.variable = VariableId(static_cast<std::size_t>(integer()));
            }
            m_graph.region(id).nodes.push_back(nodeId);
            while (!m_failed && (peekWord("region") || peekWord("uses r"))) node.regions.push_back(take("uses r") ? knownRegion() : region());
            m_graph.nodes[nodeId.index] = std::move(node);
            for (auto const &[number, valueId] : results) m_values[number] = valueId;
        }
        --m_depth;
        return id;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_depth = 0;
    bool m_failed = false;
    Diagnostic m_error;
    Graph m_graph;
    std::map<std::int64_t, ValueId> m_values;
    std::map<std::int64_t, RegionId> m_regions;
};

} // namespace

std::string print(Graph const &graph)
{
    std::string out = "graph " + inQuotes(graph.name) + " stages " + std::to_string(graph.stages) + "\n";
    for (std::size_t i = 0; i < graph.variables.size(); ++i) {
        auto const &v = graph.variables[i];
        out += "var %v" + std::to_string(i) + " " + inQuotes(v.name) + " " + std::string(toText(v.dtype)) + " "
            + toText(v.shape) + " " + std::string(toText(v.role)) + " layer " + inQuotes(v.layer) + " init "
            + inQuotes(v.initializer) + (v.trainable ? " trainable" : "") + " stage " + std::to_string(v.stage) + "\n";
    }
    std::set<RegionId> printed;
    printRegion(graph, RegionId(0), "", printed, out);
    return out;
}

Result<Graph> parse(std::string_view text) { return Reader(text).read(); }

} // namespace tilewright::graph
