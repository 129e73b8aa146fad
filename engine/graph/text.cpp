// Text form of a graph, for dumps, golden files and tests. One statement per line:
//   graph "name" stages 2
//   var %v0 "dense/kernel" f32 [784, 256] weight layer "dense" init "…" trainable streaming stage 0
//   region r0 "entry" {
//     %0 "x":f32[32, 784]:input = infeed(%1, …) {k=int 3} name "…" layer "…" pass forward stage 0 inplace [0] var %v0
//   }
// A node's bodies follow it; a body that an earlier call has is `uses r1`.
#include "engine/core/text.h"
#include "engine/core/text_reader.h"
#include "engine/graph/graph.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::graph {

namespace {

constexpr double kMostElements = 1e15;

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
        std::string operator()(std::string const &v) const { return quotedText(v); }
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
    out += indent + "region r" + std::to_string(id.index) + " " + quotedText(region.label) + " {\n";
    for (auto nodeId : region.nodes) {
        auto const &node = graph.node(nodeId);
        out += indent + "  ";
        for (std::size_t i = 0; i < node.outputs.size(); ++i) {
            auto const &value = graph.value(node.outputs[i]);
            out += (i ? ", %" : "%") + std::to_string(node.outputs[i].index) + " " + quotedText(value.name) + ":"
                + std::string(toText(value.dtype)) + toText(value.shape) + ":" + std::string(toText(value.role));
        }
        if (!node.outputs.empty()) out += " = ";
        out += node.op + "(";
        for (std::size_t i = 0; i < node.inputs.size(); ++i) out += (i ? ", %" : "%") + std::to_string(node.inputs[i].index);
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
        out += " name " + quotedText(node.name) + " layer " + quotedText(node.layer) + " pass " + std::string(toText(node.pass)) + " stage "
            + std::to_string(node.stage);
        if (!node.inPlace.empty()) out += " inplace " + listText(node.inPlace, [](int i) { return std::to_string(i); });
        if (node.variable.valid()) out += " var %v" + std::to_string(node.variable.index);
        out += "\n";
        for (auto sub : node.regions) printRegion(graph, sub, indent + "    ", printed, out);
    }
    out += indent + "}\n";
}

/// Recursive-descent reader over the text.
class Reader {
public:
    explicit Reader(std::string_view text) : m_in(text, "graph.text", "_.") {}

    Result<Graph> read()
    {
        m_in.expectWord("graph");
        m_graph.name = m_in.quoted();
        m_in.expectWord("stages");
        m_graph.stages = m_in.integer<int>();
        while (m_in.peekWord() == "var") variable();
        if (!m_in.failed()) region();
        if (!m_in.atEnd()) m_in.failAtNext("the end of the text behind the entry region");
        if (m_in.failed()) return m_in.error();
        TW_TRY(verifyStructure(m_graph));
        return std::move(m_graph);
    }

private:
    Shape shape()
    {
        auto const shape = m_in.list<std::int64_t>([&] { return m_in.integer(); });
        double elements = 1; // as double; counted in integers later
        for (auto extent : shape) {
            if (extent < 0) m_in.fail("an extent is below 0");
            elements *= static_cast<double>(std::max<std::int64_t>(extent, 1));
        }
        if (elements > kMostElements) m_in.fail("the shape has too many elements");
        return shape;
    }
    DType dtype()
    {
        auto const name = m_in.word("a type");
        auto const parsed = parseDType(name);
        if (!parsed) m_in.fail("the type is not known: " + quotedContent(name));
        return parsed.value_or(DType::F32);
    }
    void variable()
    {
        m_in.expectWord("var");
        m_in.expect("%v");
        if (m_in.integer() != static_cast<std::int64_t>(m_graph.variables.size())) m_in.fail("variables are numbered in order");
        Variable v;
        v.name = m_in.quoted();
        v.dtype = dtype();
        v.shape = shape();
        v.role = m_in.enumeration<Role>(10, "the role");
        m_in.expectWord("layer");
        v.layer = m_in.quoted();
        m_in.expectWord("init");
        v.initializer = m_in.quoted();
        v.trainable = m_in.takeWord("trainable");
        for (auto const home : {Home::Streaming, Home::Shards})
            if (m_in.takeWord(tilewright::toText(home))) v.home = home;
        m_in.expectWord("stage");
        v.stage = m_in.integer<int>();
        m_graph.variables.push_back(std::move(v));
    }
    AttrValue attr()
    {
        if (m_in.takeWord("true")) return true;
        if (m_in.takeWord("false")) return false;
        if (m_in.takeWord("ints")) return m_in.list<std::int64_t>([&] { return m_in.integer(); });
        if (m_in.takeWord("int")) return m_in.integer();
        if (m_in.takeWord("reals")) return m_in.list<double>([&] { return m_in.real(); });
        if (m_in.takeWord("real")) return m_in.real();
        return m_in.quoted();
    }
    ValueId valueRef()
    {
        m_in.expect("%");
        auto const number = m_in.integer();
        auto const it = m_values.find(number);
        if (it == m_values.end()) {
            m_in.fail("value %" + std::to_string(number) + " is not defined");
            return {};
        }
        return it->second;
    }
    /// The body of an earlier call.
    RegionId knownRegion()
    {
        auto const number = m_in.integer();
        auto const it = m_regions.find(number);
        if (it != m_regions.end()) return it->second;
        m_in.fail("region r" + std::to_string(number) + " is not defined");
        return {};
    }
    RegionId region()
    {
        if (++m_depth > 64) m_in.fail("regions nest too deeply");
        m_in.expectWord("region");
        m_in.expect("r");
        auto const printed = m_in.integer();
        RegionId const id = addRegion(m_graph, m_in.quoted());
        m_regions[printed] = id;
        m_in.expect("{");
        while (!m_in.failed() && !m_in.take("}")) {
            NodeId const nodeId(m_graph.nodes.size());
            m_graph.nodes.emplace_back();
            Node node;
            std::vector<std::pair<std::int64_t, ValueId>> results;
            if (m_in.sees("%")) {
                do {
                    m_in.expect("%");
                    auto const number = m_in.integer();
                    Value value;
                    value.name = m_in.quoted();
                    m_in.expect(":");
                    value.dtype = dtype();
                    value.shape = shape();
                    m_in.expect(":");
                    value.role = m_in.enumeration<Role>(10, "the role");
                    value.producer = nodeId;
                    ValueId const valueId(m_graph.values.size());
                    m_graph.values.push_back(std::move(value));
                    node.outputs.push_back(valueId);
                    results.emplace_back(number, valueId);
                } while (m_in.take(","));
                m_in.expect("=");
            }
            node.op = m_in.word();
            m_in.expect("(");
            if (!m_in.take(")")) {
                do node.inputs.push_back(valueRef());
                while (!m_in.failed() && m_in.take(","));
                m_in.expect(")");
            }
            if (m_in.take("{")) {
                do {
                    std::string key(m_in.word());
                    m_in.expect("=");
                    node.attrs.set(std::move(key), attr());
                } while (!m_in.failed() && m_in.take(","));
                m_in.expect("}");
            }
            m_in.expectWord("name");
            node.name = m_in.quoted();
            m_in.expectWord("layer");
            node.layer = m_in.quoted();
            m_in.expectWord("pass");
            node.pass = m_in.enumeration<Pass>(5, "the pass");
            m_in.expectWord("stage");
            node.stage = m_in.integer<int>();
            if (m_in.takeWord("inplace")) node.inPlace = m_in.list<int>([&] { return m_in.integer<int>(); });
            if (m_in.sees("var %v")) { // not the variable.read of the next line
                m_in.expectWord("var");
                m_in.expect("%v");
                node.variable = VariableId(m_in.integer<std::uint32_t>());
            }
            m_graph.region(id).nodes.push_back(nodeId);
            while (!m_in.failed() && (m_in.peekWord() == "region" || m_in.sees("uses r")))
                node.regions.push_back(m_in.take("uses r") ? knownRegion() : region());
            m_graph.nodes[nodeId.index] = std::move(node);
            for (auto const &[number, valueId] : results) m_values[number] = valueId;
        }
        --m_depth;
        return id;
    }

    TextReader m_in;
    int m_depth = 0;
    Graph m_graph;
    std::map<std::int64_t, ValueId> m_values;
    std::map<std::int64_t, RegionId> m_regions;
};

} // namespace

std::string print(Graph const &graph)
{
    std::string out = "graph " + quotedText(graph.name) + " stages " + std::to_string(graph.stages) + "\n";
    for (std::size_t i = 0; i < graph.variables.size(); ++i) {
        auto const &v = graph.variables[i];
        out += "var %v" + std::to_string(i) + " " + quotedText(v.name) + " " + std::string(toText(v.dtype)) + " " + toText(v.shape) + " "
            + std::string(toText(v.role)) + " layer " + quotedText(v.layer) + " init " + quotedText(v.initializer)
            + (v.trainable ? " trainable" : "") + (v.home == Home::Tiles ? "" : " " + std::string(tilewright::toText(v.home))) + " stage "
            + std::to_string(v.stage) + "\n";
    }
    std::set<RegionId> printed;
    printRegion(graph, RegionId(0), "", printed, out);
    return out;
}

Result<Graph> parse(std::string_view text) { return Reader(text).read(); }

} // namespace tilewright::graph
