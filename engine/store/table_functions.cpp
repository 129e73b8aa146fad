#include "engine/store/table_functions.h"

#include "engine/store/derived.h"
#include "engine/store/sqlite.h"

#include <sqlite3.h>

#include <functional>
#include <limits>
#include <new>

namespace tilewright::store {

using namespace report;

namespace {

using Row = std::vector<Value>;

/// A cursor over rows; false: no more rows.
using RowSource = std::function<bool(Row &)>;

struct TableFunction {
    char const *name;
    char const *declaration; ///< visible columns first, then one hidden column per argument
    int columns;
    int arguments;
    Result<RowSource> (*open)(ReportReader const &, Row const &arguments);
};

std::int64_t integerOr(Value const &value, std::int64_t other)
{
    if (auto const *integer = std::get_if<std::int64_t>(&value)) return *integer;
    if (auto const *real = std::get_if<double>(&value); real && *real > -9e18 && *real < 9e18) return static_cast<std::int64_t>(*real);
    return other;
}

int idOf(Value const &value)
{
    auto const id = integerOr(value, kNone);
    return id >= 0 && id <= std::numeric_limits<int>::max() ? static_cast<int>(id) : kNone;
}

Value orNull(std::int64_t id) { return id < 0 ? Value() : Value(id); }
Value integer(std::int64_t v) { return Value(v); }
Value text(std::string_view t) { return Value(std::string(t)); }

/// Turns a vector of items into rows.
template <typename T> RowSource listed(std::vector<T> items, std::function<Row(T const &)> toRow)
{
    return [items = std::move(items), toRow = std::move(toRow), at = std::size_t{0}](Row &row) mutable {
        if (at >= items.size()) return false;
        row = toRow(items[at++]);
        return true;
    };
}

Result<RowSource> openTileValues(ReportReader const &reader, Row const &arguments)
{
    TW_ASSIGN(auto values, tileValues(reader, idOf(arguments[0])));
    return listed<TileValue>(std::move(values), [](TileValue const &v) {
        return Row{integer(v.tile), integer(v.ipu), integer(v.index), integer(v.x), integer(v.y), integer(v.value)};
    });
}

Result<RowSource> openPlaced(ReportReader const &reader, Row const &arguments)
{
    TW_ASSIGN(auto placed, placedOn(reader, idOf(arguments[0])));
    return listed<PlacedItem>(std::move(placed), [](PlacedItem const &p) {
        auto const &i = p.item;
        return Row{integer(i.offset),    integer(i.bytes),         text(toText(i.category)), text(toText(i.region)),
                   orNull(i.variable),   integer(i.livenessClass), integer(i.alignment),     integer(i.flags),
                   integer(p.gapBefore), text(toText(i.gapReason))};
    });
}

Result<RowSource> openLiveAt(ReportReader const &reader, Row const &arguments)
{
    TW_ASSIGN(auto live, liveAt(reader, idOf(arguments[0]), idOf(arguments[1])));
    return listed<LiveVariable>(std::move(live), [](LiveVariable const &v) {
        return Row{orNull(v.variable), integer(v.bytes),  integer(v.alwaysLive),   orNull(v.born),
                   orNull(v.dies),     orNull(v.lastUse), text(toText(v.category))};
    });
}

Result<RowSource> openLivePoints(ReportReader const &reader, Row const &arguments)
{
    auto const *scope = std::get_if<std::string>(&arguments[0]);
    TW_ASSIGN(auto points, livePoints(reader, scope ? *scope : "all", static_cast<int>(integerOr(arguments[1], 0))));
    return listed<LivePoint>(std::move(points), [](LivePoint const &p) {
        return Row{integer(p.step), integer(p.alwaysLive), integer(p.notAlwaysLive)};
    });
}

Result<RowSource> openEvents(ReportReader const &reader, Row const &arguments)
{
    TW_ASSIGN(auto cursor,
              TimelineCursor::open(reader, idOf(arguments[0]), idOf(arguments[1]), integerOr(arguments[2], -(std::int64_t{1} << 61)),
                                   integerOr(arguments[3], std::int64_t{1} << 61)));
    return RowSource([cursor = std::move(cursor)](Row &row) mutable {
        TimelineEvent e;
        if (!cursor.next(e)) return false;
        row = Row{integer(e.step), integer(e.start), integer(e.duration), integer(e.type), integer(e.argument), orNull(e.vec)};
        return true;
    });
}

Result<RowSource> openPoints(ReportReader const &reader, Row const &arguments)
{
    TW_ASSIGN(auto points,
              reader.points(idOf(arguments[0]), integerOr(arguments[1], std::numeric_limits<std::int64_t>::min()),
                            integerOr(arguments[2], std::numeric_limits<std::int64_t>::max())));
    return RowSource([points = std::move(points), at = std::size_t{0}](Row &row) mutable {
        if (at >= points.x.size()) return false;
        row = Row{integer(points.x[at]), Value(points.y[at])};
        ++at;
        return true;
    });
}

constexpr TableFunction kFunctions[] = {
    {"tile_values", "CREATE TABLE x(tile, ipu, \"index\", x, y, value, vec HIDDEN)", 6, 1, openTileValues},
    {"placed", "CREATE TABLE x(offset, bytes, category, region, variable, class, alignment, flags, gap_before, gap_reason, tile HIDDEN)",
     10, 1, openPlaced},
    {"live_at", "CREATE TABLE x(variable, bytes, always_live, born, dies, last_use, category, step HIDDEN, tile HIDDEN)", 7, 2, openLiveAt},
    {"live_points", "CREATE TABLE x(step, always_live, not_always_live, scope HIDDEN, scope_id HIDDEN)", 3, 2, openLivePoints},
    {"events", "CREATE TABLE x(step, start, duration, type, argument, vec, run HIDDEN, lane HIDDEN, \"from\" HIDDEN, \"to\" HIDDEN)", 6, 4,
     openEvents},
    {"points", "CREATE TABLE x(x, y, series HIDDEN, \"from\" HIDDEN, \"to\" HIDDEN)", 2, 3, openPoints}};

// ---- SQLite's side -----------------------------------------------------------------------------------

struct Binding {
    TableFunction const *function;
    ReportReader const *reader;
};
struct Table {
    sqlite3_vtab base;
    Binding binding;
};
struct Cursor {
    sqlite3_vtab_cursor base;
    RowSource source;
    Row row, arguments;
    std::int64_t number = 0;
    bool atEnd = true;
};

Table &tableOf(sqlite3_vtab *base) { return *reinterpret_cast<Table *>(base); }
Cursor &cursorOf(sqlite3_vtab_cursor *base) { return *reinterpret_cast<Cursor *>(base); }

int connectTable(sqlite3 *handle, void *aux, int, char const *const *, sqlite3_vtab **out, char **)
{
    auto const &binding = *static_cast<Binding const *>(aux);
    int const code = sqlite3_declare_vtab(handle, binding.function->declaration);
    if (code != SQLITE_OK) return code;
    // It reads only the file that the statement reads anyway, so views in the file may use it.
    sqlite3_vtab_config(handle, SQLITE_VTAB_INNOCUOUS);
    auto *table = new (std::nothrow) Table{{}, binding};
    if (!table) return SQLITE_NOMEM;
    *out = &table->base;
    return SQLITE_OK;
}

int disconnectTable(sqlite3_vtab *base)
{
    delete &tableOf(base);
    return SQLITE_OK;
}

int bestIndex(sqlite3_vtab *base, sqlite3_index_info *info)
{
    auto const &function = *tableOf(base).binding.function;
    std::vector<int> constraintOf(static_cast<std::size_t>(function.arguments), -1);
    bool unusable = false;
    for (int i = 0; i < info->nConstraint; ++i) {
        auto const &constraint = info->aConstraint[i];
        int const argument = constraint.iColumn - function.columns;
        if (argument < 0 || argument >= function.arguments || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
        if (constraint.usable) constraintOf[static_cast<std::size_t>(argument)] = i;
        else unusable = true;
    }
    int given = 0, position = 0;
    for (std::size_t a = 0; a < constraintOf.size(); ++a) {
        if (constraintOf[a] < 0) continue;
        given |= 1 << a;
        info->aConstraintUsage[constraintOf[a]].argvIndex = ++position;
        info->aConstraintUsage[constraintOf[a]].omit = 1;
    }
    if (unusable) return SQLITE_CONSTRAINT; // another join order supplies the argument first
    info->idxNum = given;
    info->estimatedCost = given & 1 ? 1000.0 : 1e12;
    return SQLITE_OK;
}

int openCursor(sqlite3_vtab *, sqlite3_vtab_cursor **out)
{
    auto *cursor = new (std::nothrow) Cursor{};
    if (!cursor) return SQLITE_NOMEM;
    *out = &cursor->base;
    return SQLITE_OK;
}

int closeCursor(sqlite3_vtab_cursor *base)
{
    delete &cursorOf(base);
    return SQLITE_OK;
}

int advance(sqlite3_vtab_cursor *base)
{
    auto &cursor = cursorOf(base);
    cursor.atEnd = !cursor.source || !cursor.source(cursor.row);
    ++cursor.number;
    return SQLITE_OK;
}

Value valueOf(sqlite3_value *value)
{
    switch (sqlite3_value_type(value)) {
    case SQLITE_INTEGER: return Value(static_cast<std::int64_t>(sqlite3_value_int64(value)));
    case SQLITE_FLOAT: return Value(sqlite3_value_double(value));
    case SQLITE_TEXT: {
        auto const *bytes = reinterpret_cast<char const *>(sqlite3_value_text(value));
        return Value(std::string(bytes ? bytes : "", bytes ? static_cast<std::size_t>(sqlite3_value_bytes(value)) : 0));
    }
    default: return Value();
    }
}

int filter(sqlite3_vtab_cursor *base, int given, char const *, int count, sqlite3_value **values)
{
    auto &cursor = cursorOf(base);
    auto const &binding = tableOf(base->pVtab).binding;
    cursor.arguments.assign(static_cast<std::size_t>(binding.function->arguments), Value());
    int position = 0;
    for (std::size_t a = 0; a < cursor.arguments.size(); ++a)
        if (given & (1 << a) && position < count) cursor.arguments[a] = valueOf(values[position++]);
    auto const complain = [&](std::string const &message) {
        sqlite3_free(base->pVtab->zErrMsg);
        base->pVtab->zErrMsg = sqlite3_mprintf("%s", message.c_str());
        return SQLITE_ERROR;
    };
    if (!(given & 1)) return complain(std::string(binding.function->name) + " needs an argument, as in " + binding.function->name + "(0)");
    auto source = binding.function->open(*binding.reader, cursor.arguments);
    if (!source.ok()) return complain(toText(source.error()));
    cursor.source = std::move(source).value();
    cursor.number = -1;
    return advance(base);
}

int atEnd(sqlite3_vtab_cursor *base) { return cursorOf(base).atEnd; }

int column(sqlite3_vtab_cursor *base, sqlite3_context *context, int index)
{
    auto const &cursor = cursorOf(base);
    auto const columns = static_cast<std::size_t>(tableOf(base->pVtab).binding.function->columns);
    auto const i = static_cast<std::size_t>(index);
    Value const &value = i < columns ? cursor.row[i] : cursor.arguments[i - columns];
    if (auto const *number = std::get_if<std::int64_t>(&value)) sqlite3_result_int64(context, *number);
    else if (auto const *real = std::get_if<double>(&value)) sqlite3_result_double(context, *real);
    else if (auto const *string = std::get_if<std::string>(&value))
        sqlite3_result_text64(context, string->data(), string->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
    else sqlite3_result_null(context);
    return SQLITE_OK;
}

int rowId(sqlite3_vtab_cursor *base, sqlite3_int64 *id)
{
    *id = cursorOf(base).number;
    return SQLITE_OK;
}

sqlite3_module makeModule()
{
    sqlite3_module module{};
    module.xConnect = connectTable; // no xCreate: the tables exist without CREATE
    module.xBestIndex = bestIndex;
    module.xDisconnect = disconnectTable;
    module.xOpen = openCursor;
    module.xClose = closeCursor;
    module.xFilter = filter;
    module.xNext = advance;
    module.xEof = atEnd;
    module.xColumn = column;
    module.xRowid = rowId;
    return module;
}

void deleteBinding(void *binding) { delete static_cast<Binding *>(binding); }

} // namespace

Status registerTableFunctions(sqlite3 *handle, ReportReader const &reader)
{
    static sqlite3_module const module = makeModule();
    for (auto const &function : kFunctions) {
        int const code = sqlite3_create_module_v2(handle, function.name, &module, new Binding{&function, &reader}, deleteBinding);
        if (code != SQLITE_OK) return sqliteError(handle, code, "table functions");
        // Connects now: later the authorizer of queries would treat the declaration as a write.
        sqlite3_stmt *statement = nullptr;
        int const prepared = sqlite3_prepare_v2(handle, ("SELECT 1 FROM " + std::string(function.name)).c_str(), -1, &statement, nullptr);
        sqlite3_finalize(statement);
        if (prepared != SQLITE_OK) return sqliteError(handle, prepared, "table functions");
    }
    return {};
}

} // namespace tilewright::store
