#include "views/wording/labels.h"
#include "views/wording/tile_words.h"

#include "views/common/words.h"

#include <QCoreApplication>

#include <algorithm>
#include <span>

namespace tilewright::views {

namespace {

struct Word {
    std::string_view code;
    char const *label; ///< QT_TRANSLATE_NOOP("views", …)
};

QString lookUp(std::span<Word const> words, std::string_view code)
{
    for (auto const &word : words)
        if (word.code == code) return QCoreApplication::translate("views", word.label);
    return QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
}

constexpr Word kPhaseWords[] = {{"compute", QT_TRANSLATE_NOOP("views", "Compute")},
                                {"internal_exchange", QT_TRANSLATE_NOOP("views", "Exchange in the IPU")},
                                {"global_exchange", QT_TRANSLATE_NOOP("views", "Exchange between IPUs")},
                                {"stream", QT_TRANSLATE_NOOP("views", "Streams")},
                                {"sync", QT_TRANSLATE_NOOP("views", "Sync")},
                                {"idle", QT_TRANSLATE_NOOP("views", "Idle (in no program)")}};
constexpr Word kPassWords[] = {{"forward", QT_TRANSLATE_NOOP("views", "Forward")},
                               {"recompute", QT_TRANSLATE_NOOP("views", "Recompute")},
                               {"backward", QT_TRANSLATE_NOOP("views", "Backward")},
                               {"update", QT_TRANSLATE_NOOP("views", "Update")},
                               {"other", QT_TRANSLATE_NOOP("views", "Other")}};
constexpr Word kLevelWords[] = {{"keras", QT_TRANSLATE_NOOP("views", "Layers")},
                                {"graph", QT_TRANSLATE_NOOP("views", "Graph operations")},
                                {"library", QT_TRANSLATE_NOOP("views", "Library routines")},
                                {"compute_set", QT_TRANSLATE_NOOP("views", "Compute sets and transfers")}};
constexpr Word kKindWords[] = {{"sequence", QT_TRANSLATE_NOOP("views", "Sequence")},
                               {"repeat", QT_TRANSLATE_NOOP("views", "Repeat")},
                               {"repeat_while", QT_TRANSLATE_NOOP("views", "Repeat while")},
                               {"if", QT_TRANSLATE_NOOP("views", "If")},
                               {"switch", QT_TRANSLATE_NOOP("views", "Switch")},
                               {"switch_per_tile", QT_TRANSLATE_NOOP("views", "Switch per tile")},
                               {"call", QT_TRANSLATE_NOOP("views", "Call")},
                               {"execute", QT_TRANSLATE_NOOP("views", "Compute set")},
                               {"exchange", QT_TRANSLATE_NOOP("views", "Exchange")},
                               {"global_exchange", QT_TRANSLATE_NOOP("views", "Exchange between IPUs")},
                               {"stream_begin", QT_TRANSLATE_NOOP("views", "Stream begin")},
                               {"stream_copy", QT_TRANSLATE_NOOP("views", "Stream copy")},
                               {"stream_end", QT_TRANSLATE_NOOP("views", "Stream end")},
                               {"sync_internal", QT_TRANSLATE_NOOP("views", "Sync in the IPU")},
                               {"sync_external", QT_TRANSLATE_NOOP("views", "Sync of IPUs")},
                               {"collective", QT_TRANSLATE_NOOP("views", "Collective")},
                               {"write_undefined", QT_TRANSLATE_NOOP("views", "Write undefined")},
                               {"assume_equal", QT_TRANSLATE_NOOP("views", "Assume equal")},
                               {"set_consensus", QT_TRANSLATE_NOOP("views", "Set consensus")},
                               {"abort", QT_TRANSLATE_NOOP("views", "Abort")},
                               {"trap", QT_TRANSLATE_NOOP("views", "Trap")},
                               {"other", QT_TRANSLATE_NOOP("views", "Other")},
                               {"function", QT_TRANSLATE_NOOP("views", "Function")}};
constexpr Word kRoleWords[] = {{"weight", QT_TRANSLATE_NOOP("views", "Weight")},
                               {"optimizer_state", QT_TRANSLATE_NOOP("views", "Optimizer state")},
                               {"activation", QT_TRANSLATE_NOOP("views", "Activation")},
                               {"gradient", QT_TRANSLATE_NOOP("views", "Gradient")},
                               {"accumulator", QT_TRANSLATE_NOOP("views", "Accumulator")},
                               {"input", QT_TRANSLATE_NOOP("views", "Input")},
                               {"output", QT_TRANSLATE_NOOP("views", "Output")},
                               {"constant", QT_TRANSLATE_NOOP("views", "Constant")},
                               {"partial", QT_TRANSLATE_NOOP("views", "Partial sum")},
                               {"temporary", QT_TRANSLATE_NOOP("views", "Temporary")},
                               {"message", QT_TRANSLATE_NOOP("views", "Exchange message")},
                               {"other", QT_TRANSLATE_NOOP("views", "Other")}};
constexpr Word kCategoryWords[] = {{"variable", QT_TRANSLATE_NOOP("views", "Variables")},
                                   {"constant", QT_TRANSLATE_NOOP("views", "Constants")},
                                   {"output", QT_TRANSLATE_NOOP("views", "Outputs")},
                                   {"vertex_code", QT_TRANSLATE_NOOP("views", "Vertex code")},
                                   {"vertex_state", QT_TRANSLATE_NOOP("views", "Vertex state")},
                                   {"vertex_fields", QT_TRANSLATE_NOOP("views", "Vertex fields")},
                                   {"internal_exchange_code", QT_TRANSLATE_NOOP("views", "Exchange code")},
                                   {"global_exchange_code", QT_TRANSLATE_NOOP("views", "Code of exchanges between IPUs")},
                                   {"host_exchange_code", QT_TRANSLATE_NOOP("views", "Code of host exchanges")},
                                   {"global_packet_header", QT_TRANSLATE_NOOP("views", "Packet headers between IPUs")},
                                   {"host_packet_header", QT_TRANSLATE_NOOP("views", "Packet headers to the host")},
                                   {"exchange_buffer", QT_TRANSLATE_NOOP("views", "Exchange buffers")},
                                   {"rearrangement", QT_TRANSLATE_NOOP("views", "Rearrangement")},
                                   {"control_code", QT_TRANSLATE_NOOP("views", "Control code")},
                                   {"control_table", QT_TRANSLATE_NOOP("views", "Control tables")},
                                   {"control_id", QT_TRANSLATE_NOOP("views", "Control ids")},
                                   {"copy_descriptor", QT_TRANSLATE_NOOP("views", "Copy descriptors")},
                                   {"vector_list_descriptor", QT_TRANSLATE_NOOP("views", "Vector descriptors")},
                                   {"stack", QT_TRANSLATE_NOOP("views", "Stack")},
                                   {"instrumentation", QT_TRANSLATE_NOOP("views", "Instrumentation")},
                                   {"shared_code", QT_TRANSLATE_NOOP("views", "Shared code")}};
constexpr Word kRegionWords[] = {{"non_interleaved", QT_TRANSLATE_NOOP("views", "not interleaved")},
                                 {"interleaved", QT_TRANSLATE_NOOP("views", "interleaved")},
                                 {"overflowed", QT_TRANSLATE_NOOP("views", "beyond the tile")}};
constexpr Word kSeverityWords[] = {{"error", QT_TRANSLATE_NOOP("views", "Error")},
                                   {"warning", QT_TRANSLATE_NOOP("views", "Warning")},
                                   {"advice", QT_TRANSLATE_NOOP("views", "Advice")},
                                   {"note", QT_TRANSLATE_NOOP("views", "Note")}};
constexpr Word kRunKindWords[] = {{"train", QT_TRANSLATE_NOOP("views", "Training")},
                                  {"evaluate", QT_TRANSLATE_NOOP("views", "Evaluation")},
                                  {"predict", QT_TRANSLATE_NOOP("views", "Prediction")},
                                  {"initialise", QT_TRANSLATE_NOOP("views", "Initial values")},
                                  {"weights_in", QT_TRANSLATE_NOOP("views", "Weights in")},
                                  {"weights_out", QT_TRANSLATE_NOOP("views", "Weights out")},
                                  {"profile", QT_TRANSLATE_NOOP("views", "Schedule of one step")},
                                  {"compile", QT_TRANSLATE_NOOP("views", "Compile")}};
constexpr Word kRunModeWords[] = {{"fused", QT_TRANSLATE_NOOP("views", "fused")}, {"tile", QT_TRANSLATE_NOOP("views", "on tiles")}};
constexpr Word kRunStateWords[] = {
    {"running", QT_TRANSLATE_NOOP("views", "Running")}, {"paused", QT_TRANSLATE_NOOP("views", "Paused")},
    {"done", QT_TRANSLATE_NOOP("views", "Done")},       {"stopped", QT_TRANSLATE_NOOP("views", "Stopped")},
    {"failed", QT_TRANSLATE_NOOP("views", "Failed")},   {"interrupted", QT_TRANSLATE_NOOP("views", "Interrupted")}};
constexpr Word kPartWords[] = {
    {"target", QT_TRANSLATE_NOOP("views", "Machine")},    {"graph", QT_TRANSLATE_NOOP("views", "Operations")},
    {"program", QT_TRANSLATE_NOOP("views", "Program")},   {"memory", QT_TRANSLATE_NOOP("views", "Memory")},
    {"liveness", QT_TRANSLATE_NOOP("views", "Liveness")}, {"run", QT_TRANSLATE_NOOP("views", "Runs and timeline")},
    {"host", QT_TRANSLATE_NOOP("views", "Compile log")},  {"series", QT_TRANSLATE_NOOP("views", "Series")},
    {"log", QT_TRANSLATE_NOOP("views", "Log")},           {"insight", QT_TRANSLATE_NOOP("views", "Insights")}};
constexpr Word kCauseWords[] = {{"total", QT_TRANSLATE_NOOP("views", "more bytes than the tile has")},
                                {"executable_region", QT_TRANSLATE_NOOP("views", "more code than the executable region holds")},
                                {"interleaved_region", QT_TRANSLATE_NOOP("views", "more interleaved data than its region holds")},
                                {"gaps", QT_TRANSLATE_NOOP("views", "the live data would fit, but the gaps between them are too small")}};
constexpr Word kOriginWords[] = {{"modelled", QT_TRANSLATE_NOOP("views", "modelled")},
                                 {"estimated", QT_TRANSLATE_NOOP("views", "estimated")},
                                 {"measured", QT_TRANSLATE_NOOP("views", "measured on this computer")}};

} // namespace

QString phaseLabel(Phase phase) { return lookUp(kPhaseWords, phaseId(phase)); }

Token phaseToken(Phase phase) { return phaseToken(phaseId(phase)); }

QString boundLabel(Phase phase)
{
    switch (phase) {
    case Phase::Compute: return QCoreApplication::translate("views", "compute");
    case Phase::InternalExchange:
    case Phase::GlobalExchange: return QCoreApplication::translate("views", "exchange");
    case Phase::Stream: return QCoreApplication::translate("views", "streams");
    case Phase::Sync: return QCoreApplication::translate("views", "sync");
    case Phase::Idle: break;
    }
    return {};
}

QString passLabel(std::string_view pass) { return lookUp(kPassWords, pass); }
QString levelLabel(std::string_view level) { return lookUp(kLevelWords, level); }
QString programKindLabel(std::string_view kind) { return lookUp(kKindWords, kind); }
QString feedsAndLoops() { return Words::tr("Feeds and loops"); }

QString opLabel(report::OpRow const &op)
{
    return op.kind == report::kSyntheticKind && op.level == "keras" ? feedsAndLoops() : text(op.name);
}

QString roleLabel(std::string_view role) { return lookUp(kRoleWords, role); }
QString categoryLabel(std::string_view category) { return lookUp(kCategoryWords, category); }
QString regionLabel(std::string_view region) { return lookUp(kRegionWords, region); }
QString severityLabel(std::string_view severity) { return lookUp(kSeverityWords, severity); }
QString runKindLabel(std::string_view kind) { return lookUp(kRunKindWords, kind); }
QString runModeLabel(std::string_view mode) { return lookUp(kRunModeWords, mode); }

QString runStepsText(report::RunRow const &run)
{
    int const steps = static_cast<int>(run.steps);
    return run.state == "running" ? Words::tr("%Ln step(s) so far", nullptr, steps) : Words::tr("%Ln step(s)", nullptr, steps);
}

QString runStateLabel(std::string_view state) { return lookUp(kRunStateWords, state); }
QString partLabel(std::string_view part) { return lookUp(kPartWords, part); }
QString causeLabel(std::string_view cause) { return lookUp(kCauseWords, cause); }
QString cyclesOrigin(bool measured)
{
    return measured ? QCoreApplication::translate("views", "measured on the tiles") : originLabel("modelled");
}

QString originLabel(std::string_view origin) { return lookUp(kOriginWords, origin); }

Token programKindToken(std::string_view kind)
{
    auto const phase = report::phaseOfProgramKind(kind);
    return phase.empty() ? Token::SecondaryText : phaseToken(phase);
}

QString partStateLabel(report::PartState state)
{
    switch (state) {
    case report::PartState::Absent: return QCoreApplication::translate("views", "Absent");
    case report::PartState::Writing: return QCoreApplication::translate("views", "Being written");
    case report::PartState::Complete: return QCoreApplication::translate("views", "Complete");
    case report::PartState::Truncated: return QCoreApplication::translate("views", "Truncated");
    case report::PartState::Failed: return QCoreApplication::translate("views", "Failed");
    }
    return {};
}

bool sendsToNextReplica(report::ReportData const &data, report::ExchangeRow const &exchange, report::ExchangePair const &pair)
{
    return pair.from == pair.to && exchange.kind == "global" && data.target.replicas > 1;
}

QString ownNumberLabel(bool nextReplica)
{
    return nextReplica ? QCoreApplication::translate("views", "the same tile of the next replica")
                       : QCoreApplication::translate("views", "itself");
}

QString tileLabel(report::ReportData const &data, std::int64_t tile)
{
    return data.target.ipusPerReplica <= 1 ? QCoreApplication::translate("views", "Tile %1").arg(tile) : tileInSentence(data, tile);
}

QString tileInSentence(report::ReportData const &data, std::int64_t tile)
{
    int const perIpu = std::max(1, data.target.tilesPerIpu);
    if (data.target.ipusPerReplica <= 1) return QCoreApplication::translate("views", "tile %1").arg(tile);
    return QCoreApplication::translate("views", "IPU %1, tile %2").arg(tile / perIpu).arg(tile % perIpu);
}

} // namespace tilewright::views
