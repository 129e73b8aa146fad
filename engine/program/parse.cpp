// Reads the text form of a program; print.cpp describes the format.
#include "engine/program/text_words.h"

#include "engine/core/text_reader.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tilewright::program {

namespace {

/// Upper limit for blocks and extents, equal to that of verify(), so that sums of a few do not overflow.
constexpr std::int64_t kMostElements = std::int64_t{1} << 40;

/// Named objects of one kind. The second "x" is x@2.
class Labels {
public:
    void add(std::string const &name) { m_named[name].push_back(m_count++); }
    /// kNone if it does not exist.
    std::uint32_t find(std::string const &name, std::int64_t number) const
    {
        auto const it = m_named.find(name);
        if (it == m_named.end() || number < 1 || number > static_cast<std::int64_t>(it->second.size())) return VarId::kNone;
        return it->second[static_cast<std::size_t>(number - 1)];
    }

private:
    std::unordered_map<std::string, std::vector<std::uint32_t>> m_named;
    std::uint32_t m_count = 0;
};

/// Objects in the order of the text, with their numbers in the program.
template <typename T> class Numbered {
public:
    /// Number of the next object without a given number.
    std::uint32_t next() const { return m_next; }
    bool has(std::uint32_t number) const { return m_numbers.contains(number); }
    /// False if the number is already taken.
    bool begin(std::uint32_t number)
    {
        m_next = number + 1;
        return m_numbers.insert(number).second;
    }
    void add(std::uint32_t number, T item) { m_items.emplace_back(number, std::move(item)); }
    /// In the order of numbers; empty unless the numbers are 0 … n-1.
    std::optional<std::vector<T>> inOrder()
    {
        std::vector<T> all(m_items.size());
        for (auto &[number, item] : m_items) {
            if (number >= all.size()) return {};
            all[number] = std::move(item);
        }
        return all;
    }

private:
    std::vector<std::pair<std::uint32_t, T>> m_items;
    std::unordered_set<std::uint32_t> m_numbers;
    std::uint32_t m_next = 0;
};

class Parser {
public:
    explicit Parser(std::string_view text) : m_in(text, "program.text", kWordMarks) {}

    Result<Program> read()
    {
        m_in.expectWord("program");
        m_program.name = m_in.quoted();
        m_in.expectWord("ipus");
        m_program.ipus = m_in.integer<int>(1);
        m_in.expectWord("replicas");
        m_program.replicas = m_in.integer<int>(1);
        m_in.expectWord("tiles");
        m_program.tilesPerIpu = m_in.integer<int>(1);
        m_program.ioTilesPerIpu = numbered("io-tiles", 0);
        if (m_in.takeWord("entries"))
            while (m_in.sees("\"")) m_program.entries.push_back(m_in.quoted());
        if (m_in.takeWord("codelets")) codelets();
        while (m_in.takeWord("op")) op();
        while (m_in.takeWord("var")) variable();
        if (!seesStep()) m_in.failAtNext("an op, a variable or the step that is the program");
        m_program.main = step();
        while (seesStep()) step();
        while (m_in.takeWord("unused")) unused();
        if (!m_in.atEnd()) m_in.failAtNext("a step, 'unused' or the end of the text");
        place(m_steps, m_program.steps, "steps");
        place(m_sets, m_program.computeSets, "compute sets");
        place(m_exchanges, m_program.exchanges, "exchanges");
        place(m_streams, m_program.streams, "streams");
        if (m_in.failed()) return m_in.error();
        return std::move(m_program);
    }

private:
    template <typename T> void place(Numbered<T> &numbered, std::vector<T> &all, char const *what)
    {
        if (m_in.failed()) return;
        if (auto items = numbered.inOrder()) all = std::move(*items);
        else m_in.failAtNext("all " + std::string(what) + " before the last number of one of them");
    }

    // -- words

    bool seesName() { return m_in.sees("\"") || isPlainName(m_in.peekWord()); }
    std::string name(std::string_view what)
    {
        if (m_in.sees("\"")) return m_in.quoted();
        if (isPlainName(m_in.peekWord())) return std::string(m_in.word());
        m_in.failAtNext(what);
        return {};
    }
    /// An object by its name; the second with that name as name@2.
    std::uint32_t labelled(Labels const &labels, std::string const &what)
    {
        auto const named = name("the name of " + what);
        auto const number = m_in.take("@") ? m_in.integer(1) : 1;
        auto const index = labels.find(named, number);
        if (index == VarId::kNone)
            m_in.fail("there is no " + what.substr(what.find(' ') + 1) + " of this name and number: " + quotedContent(named));
        return index;
    }
    VarId var() { return VarId(labelled(m_vars, "a variable")); }
    int opIndex() { return static_cast<int>(labelled(m_ops, "an op")); }
    /// "of OP"; `standard` if missing.
    int origin(int standard = -1)
    {
        if (!m_in.takeWord("of")) return standard;
        return m_in.takeWord("none") ? -1 : opIndex();
    }
    template <typename T = int> T numbered(std::string_view word, T standard) { return m_in.takeWord(word) ? m_in.integer<T>() : standard; }
    /// "#3": the object's number; otherwise the next free number.
    template <typename T> std::uint32_t number(Numbered<T> &things)
    {
        auto const index = m_in.take("#") ? m_in.integer<std::uint32_t>(0, VarId::kNone - 1) : things.next();
        if (!m_in.failed() && !things.begin(index)) m_in.fail("number " + std::to_string(index) + " is given twice");
        return index;
    }
    /// "#3" of an earlier object.
    template <typename T> std::uint32_t earlier(Numbered<T> const &things)
    {
        m_in.expect("#");
        auto const index = m_in.integer<std::uint32_t>();
        if (!m_in.failed() && !things.has(index)) m_in.fail("nothing before this has number " + std::to_string(index));
        return index;
    }
    /// "x8" if it follows.
    std::optional<std::int64_t> times()
    {
        auto const word = m_in.peekWord();
        if (word.size() < 2 || word[0] != 'x' || !std::ranges::all_of(word.substr(1), [](char c) { return c >= '0' && c <= '9'; }))
            return {};
        m_in.take("x");
        return m_in.integer();
    }

    // -- objects

    void codelets()
    {
        while (seesName()) m_program.codelets.push_back(name("a codelet"));
        for (std::size_t i = 0; i < m_program.codelets.size(); ++i) m_codelets.emplace(m_program.codelets[i], static_cast<int>(i));
    }

    void op()
    {
        Op op;
        op.name = m_in.quoted();
        op.level = name("a level");
        op.kind = name("a kind");
        if (m_in.takeWord("in")) op.parent = opIndex();
        if (m_in.takeWord("pass")) op.pass = name("a pass");
        op.stage = numbered("stage", 0);
        op.flops = numbered<std::int64_t>("flops", 0);
        op.estimatedCycles = numbered<Cycles>("cycles", 0);
        op.idealCycles = numbered<Cycles>("ideal", 0);
        if (m_in.takeWord("plan")) op.plan = m_in.quoted();
        m_ops.add(op.name);
        m_program.ops.push_back(std::move(op));
    }

    std::int64_t extent(std::int64_t least = 1) { return m_in.integer(least, kMostElements); }

    void dimension(Layout &layout)
    {
        Dim dim;
        dim.kind = m_in.takeWord("copies") ? DimKind::Copy
            : m_in.takeWord("addends")     ? DimKind::Addend
            : m_in.takeWord("slots")       ? DimKind::Slot
                                           : DimKind::Index;
        dim.extent = extent();
        m_in.expect("/");
        dim.block = dim.step = extent();
        if (m_in.take("+")) {
            dim.step = extent();
            m_in.expect("-");
            dim.before = extent(0);
        }
        dim.count = m_in.take("x") ? extent() : ceilDiv(dim.extent, std::max<std::int64_t>(1, dim.block));
        m_in.expect("*");
        dim.stride = m_in.integer<std::int32_t>(0);
        if (m_in.takeWord("by")) dim.group = m_in.integer<std::int32_t>(1);
        m_in.expect(",");
        layout.add(dim);
    }

    Layout layout()
    {
        Layout layout;
        while (!m_in.failed() && m_in.peekWord() != "order" && m_in.peekWord() != "from") {
            if (layout.rank == kMaxDims) m_in.failAtNext("'from' behind so many dimensions");
            else dimension(layout);
        }
        if (m_in.takeWord("order")) {
            for (int i = 0; i < layout.rank; ++i)
                layout.order[static_cast<std::size_t>(i)] = m_in.integer<std::uint8_t>(0, layout.rank - 1);
            m_in.expect(",");
        }
        m_in.expectWord("from");
        layout.first = m_in.integer<std::int32_t>(0);
        m_in.expectWord("on");
        layout.on = tiles();
        layout.on.ipu = numbered("ipu", layout.on.begin / std::max(1, m_program.tilesPerIpu));
        return layout;
    }
    TileSet tiles()
    {
        TileSet on;
        on.begin = m_in.integer<std::int32_t>(0);
        m_in.expect("..");
        on.count = m_in.integer<std::int32_t>(on.begin, std::numeric_limits<std::int32_t>::max() - 1) - on.begin + 1;
        return on;
    }

    void variable()
    {
        Variable v;
        v.name = m_in.quoted();
        auto const type = m_in.word("a type");
        auto const dtype = parseDType(type);
        if (!dtype) m_in.fail("the type is not known: " + quotedContent(type));
        v.dtype = dtype.value_or(DType::F32);
        v.shape = m_in.list<std::int64_t>([&] { return extent(); });
        v.role = name("a role");
        v.category = m_in.enumeration<Category>(static_cast<int>(Category::Rearrangement) + 1, "the category");
        v.alwaysLive = m_in.takeWord("always-live");
        v.interleaved = m_in.takeWord("interleaved");
        for (auto const home : {Home::Streaming, Home::Shards})
            if (m_in.takeWord(tilewright::toText(home))) v.home = home;
        v.op = origin();
        v.layout = layout();
        m_vars.add(v.name);
        m_program.variables.push_back(std::move(v));
    }

    // -- contents of leaf steps

    Field field(Access access)
    {
        Field field;
        field.access = access;
        field.var = var();
        if (m_in.take("#")) field.slice = m_in.integer<std::int32_t>(0);
        if (m_in.take("~")) {
            field.rounding.node = m_in.integer<std::int32_t>();
            m_in.expect(".");
            field.rounding.number = m_in.integer<std::int32_t>();
            field.rounding.onEveryReplica = m_in.take("+all");
            field.rounding.byTile = m_in.take("+tile");
        }
        return field;
    }
    std::optional<Access> takeAccess()
    {
        for (int i : {2, 0, 1, 3}) // <> before <
            if (m_in.take(kAccessMarks[i])) return static_cast<Access>(i);
        return {};
    }

    VertexFamily family()
    {
        VertexFamily family;
        auto const codelet = name("a codelet");
        if (auto const it = m_codelets.find(codelet); it != m_codelets.end()) family.codelet = it->second;
        else m_in.fail("it is not among the program's codelets: " + quotedContent(codelet));
        auto const vertices = times();
        while (auto const access = takeAccess()) family.fields.push_back(field(*access));
        if (family.fields.empty()) m_in.failAtNext("a field: <, >, <> or % and a variable");
        family.lead = m_in.takeWord("lead") ? m_in.integer<int>(0, static_cast<std::int64_t>(family.fields.size()) - 1) : 0;
        if (m_in.take("{")) {
            if (m_in.sees("\"")) {
                family.expr = m_in.quoted();
                m_in.expect("}");
            } else {
                family.expr = m_in.through('}');
            }
        }
        if (m_in.sees("(")) family.scalars = m_in.list<double>([&] { return m_in.real(); }, "(", ")");
        if (m_in.failed() || !vertices) return family;
        auto const blocks = blocksInText(m_program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout);
        if (blocks != *vertices)
            m_in.fail(codelet + " has " + std::to_string(blocks) + " vertices, one for each block of its leading field, not "
                      + std::to_string(*vertices));
        return family;
    }

    void end(VarId &var_, std::int64_t &start, std::int32_t &part)
    {
        var_ = var();
        if (m_in.take("[")) {
            start = m_in.integer();
            m_in.expect("]");
        }
        if (m_in.take("#")) part = m_in.integer<std::int32_t>(0);
    }
    bool seesNumber()
    {
        auto const word = m_in.peekWord();
        return !word.empty() && word[0] >= '0' && word[0] <= '9';
    }
    Transfer transfer()
    {
        Transfer t;
        end(t.src, t.src0, t.srcPart);
        m_in.expect("->");
        end(t.dst, t.dst0, t.dstPart);
        while (seesNumber()) {
            Loop loop{};
            loop.count = m_in.integer();
            m_in.expect("(");
            loop.src = m_in.integer();
            m_in.expect(",");
            loop.dst = m_in.integer();
            m_in.expect(")");
            t.loops.push_back(loop);
        }
        t.rowMajor = m_in.takeWord("row-major");
        return t;
    }

    void lines(ComputeSet &set)
    {
        while (seesName()) set.families.push_back(family());
    }
    void lines(Exchange &exchange)
    {
        while (seesName()) exchange.transfers.push_back(transfer());
        while (m_in.takeWord("ring")) {
            RingTransfer ring;
            ring.src = var();
            m_in.expect("->");
            ring.dst = var();
            m_in.expectWord("chunk");
            ring.chunk = m_in.integer<int>();
            ring.inChunk = m_in.takeWord("in-chunk");
            exchange.ring.push_back(ring);
        }
    }
    void lines(Stream &stream)
    {
        auto const queue = [&] {
            if (m_in.takeWord("remote")) {
                stream.remote = var();
                if (m_in.takeWord("slot")) stream.counter = var();
                return;
            }
            m_in.expectWord("host");
            m_in.expect("[");
            stream.queueIndex = m_in.integer<int>();
            m_in.expect("]");
        };
        stream.toDevice = m_in.peekWord() == "host" || m_in.peekWord() == "remote";
        if (stream.toDevice) queue();
        else stream.var = var();
        m_in.expect("->");
        if (stream.toDevice) stream.var = var();
        else queue();
        stream.synthetic = m_in.takeWord("synthetic");
        stream.continues = m_in.takeWord("continues");
    }
    void sums(FinishedSums &finished)
    {
        if (!m_in.takeWord("sums")) return;
        finished.node = m_in.integer<std::int32_t>();
        if (!m_in.takeWord("none")) finished.var = var();
    }
    void sums(ComputeSet &set) { sums(set.finished); }
    void sums(Exchange &exchange) { sums(exchange.finished); }
    static void sums(Stream &) {}
    static void setOp(ComputeSet &set, int op) { set.op = op; }
    static void setOp(Exchange &exchange, int op) { exchange.op = op; }
    static void setOp(Stream &, int) {} // from its step

    template <typename T> std::uint32_t run(Step const &step, Numbered<T> &all)
    {
        T one;
        one.name = step.name;
        int op = step.op;
        bool const written = m_in.takeWord("runs");
        if (written && m_in.takeWord("none")) return VarId::kNone;
        if (written && m_in.takeWord("again")) return earlier(all);
        auto const index = number(all);
        if (written) {
            if (m_in.takeWord("as")) one.name = m_in.quoted();
            op = origin(op);
        }
        setOp(one, op);
        sums(one);
        lines(one);
        all.add(index, std::move(one));
        return index;
    }

    // -- control

    bool seesStep() { return parseStepKind(m_in.peekWord()).has_value(); }

    StepId step()
    {
        auto const kind = parseStepKind(m_in.word("a step"));
        if (!kind) return {};
        Step step;
        step.kind = *kind;
        step.name = m_in.quoted();
        auto const id = number(m_steps);
        if (step.kind == StepKind::While) {
            m_in.expectWord("at");
            m_in.expectWord("most");
        }
        auto const count = times();
        if (!count && (step.kind == StepKind::While || step.kind == StepKind::Repeat)) m_in.failAtNext("how often, as x4");
        step.count = count.value_or(1);
        if (m_in.take("?")) step.predicate = var();
        step.slot = numbered("slot", -1);
        step.ipu = numbered("ipu", -1);
        step.microBatch = numbered("micro-batch", -1);
        step.stage = numbered("stage", -1);
        if (m_in.takeWord("pass")) step.pass = name("a pass");
        if (m_in.takeWord("lane")) {
            step.lane = tiles();
            step.lane.ipu = numbered("ipu", 0);
        }
        step.op = origin();
        switch (step.kind) {
        case StepKind::Execute: step.computeSet.index = run(step, m_sets); break;
        case StepKind::Exchange:
        case StepKind::GlobalExchange: step.exchange.index = run(step, m_exchanges); break;
        case StepKind::StreamCopy:
        case StepKind::RemoteCopy: step.stream.index = run(step, m_streams); break;
        case StepKind::Sequence:
        case StepKind::Repeat:
        case StepKind::Parallel:
        case StepKind::Call:
        case StepKind::If:
        case StepKind::While:
        case StepKind::SyncExternal: children(step); break;
        }
        m_steps.add(id, std::move(step));
        return StepId(id);
    }
    void children(Step &step)
    {
        if (!m_in.take("{")) return;
        if (++m_depth > kMaxDepth) m_in.fail("steps nest deeper than " + std::to_string(kMaxDepth));
        while (!m_in.failed() && !m_in.take("}")) {
            if (m_in.takeWord("again")) step.children.emplace_back(earlier(m_steps));
            else if (seesStep()) step.children.push_back(this->step());
            else m_in.failAtNext("a step or '}'");
        }
        --m_depth;
    }

    template <typename T> void unused(Numbered<T> &all)
    {
        T one;
        one.name = m_in.quoted();
        auto const index = number(all);
        setOp(one, origin());
        sums(one);
        lines(one);
        all.add(index, std::move(one));
    }
    void unused()
    {
        if (m_in.takeWord(toText(StepKind::Execute))) unused(m_sets);
        else if (m_in.takeWord(toText(StepKind::Exchange))) unused(m_exchanges);
        else if (m_in.takeWord(toText(StepKind::StreamCopy))) unused(m_streams);
        else m_in.failAtNext("execute, exchange or stream_copy");
    }

    TextReader m_in;
    Program m_program;
    Labels m_vars, m_ops;
    std::unordered_map<std::string, int> m_codelets;
    Numbered<Step> m_steps;
    Numbered<ComputeSet> m_sets;
    Numbered<Exchange> m_exchanges;
    Numbered<Stream> m_streams;
    int m_depth = 0;
};

} // namespace

Result<Program> parse(std::string_view text) { return Parser(text).read(); }

} // namespace tilewright::program
