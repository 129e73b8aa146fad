// The sentences of the built-in rules (engine/report/insights).
#include "views/wording/insight_text.h"

#include "views/common/format.h"
#include "views/wording/labels.h"
#include "views/wording/run_costs.h"
#include "views/wording/tile_memory_text.h"

#include "views/common/words.h"
#include <QJsonArray>

#include <map>

namespace tilewright::views {

namespace {

using N = InsightNumbers;

QString tile(N const &n) { return Words::tr("tile %1 of IPU %2").arg(n.whole("tile")).arg(n.whole("ipu")); }

/// The rule's share of a step: "17 % of a step", "8.6 % of a step on 2 IPUs".
QString ofStep(N const &n) { return shareOfStepText(n.number("share"), n.has("ipus") ? static_cast<int>(n.whole("ipus")) : 1); }

/// With several IPUs, the share of the one that the rule found.
void addItsIpu(N const &n, InsightText &out)
{
    if (!n.has("ipus") || !n.has("ipu_share") || !n.has("ipu") || n.whole("ipus") < 2) return;
    out.details << Words::tr("On IPU %1 alone it is %2 of a step.").arg(n.whole("ipu")).arg(shareText(n.number("ipu_share")));
}

/// "dense/kernel 1.00 KiB, …" or "Vertex code 12 KiB, …" of a rule's list, at most three.
QString listed(N const &n, char const *list)
{
    QStringList words;
    if (!n.has(list)) return {}; // a report of an earlier version
    for (auto const &entry : n.list(list)) {
        auto const one = entry.toObject();
        auto name = one.value(QLatin1String("name")).toString();
        if (name.isEmpty()) {
            auto const part = one.value(QLatin1String("part")).toString().split(QLatin1Char('/'));
            name = categoryLabel(part.value(0).toStdString());
            QStringList which;
            if (part.size() > 1) which << regionLabel(part.value(1).toStdString());
            if (part.size() > 2) which << Words::tr("overlapped");
            if (!which.isEmpty()) name += QStringLiteral(" (%1)").arg(which.join(QStringLiteral(", ")));
        }
        words << QStringLiteral("%1 %2").arg(name, bytesText(one.value(QLatin1String("bytes")).toInteger()));
        if (words.size() == 3) break;
    }
    return words.join(QStringLiteral(", "));
}

/// "dense/MatMul 12 % (slowest: tile 7 of IPU 0), …" of a rule's operations or layers, at most three.
QString named(N const &n, char const *list)
{
    QStringList words;
    if (!n.has(list)) return {}; // a report of an earlier version
    for (auto const &entry : n.list(list)) {
        N const one(entry.toObject());
        words << Words::tr("%1 %2 (slowest: %3)")
                     .arg(one.has("synthetic") ? feedsAndLoops() : one.word("name"), shareText(one.number("share")), tile(one));
        if (words.size() == 3) break;
    }
    return words.join(QStringLiteral(", "));
}

void addOperations(N const &n, InsightText &out)
{
    if (auto const layers = named(n, "layers"); !layers.isEmpty()) out.details << Words::tr("By layer: %1.").arg(layers);
    if (auto const ops = named(n, "ops"); !ops.isEmpty()) out.details << Words::tr("By operation: %1.").arg(ops);
}

/// The variables that are the largest at the tile's peak, and all its bytes by kind.
void addContents(N const &n, InsightText &out)
{
    bool const parted = n.has("parts"); // before that, "largest" was the list by kind
    if (auto const variables = parted ? listed(n, "largest") : QString(); !variables.isEmpty()) out.details << largestAtPeakText(variables);
    if (auto const kinds = listed(n, parted ? "parts" : "largest"); !kinds.isEmpty()) out.details << Words::tr("By kind: %1.").arg(kinds);
}

void doesNotFit(N const &n, InsightText &out)
{
    if (n.has("need") && n.whole("need") < n.whole("bytes"))
        out.title = Words::tr("Does not fit: %1 needs %2, has %3 placed, and its limit is %4")
                        .arg(tile(n), bytesText(n.whole("need")), bytesText(n.whole("bytes")), bytesText(n.whole("capacity")));
    else
        out.title = Words::tr("Does not fit: %1 has %2 placed, and its limit is %3")
                        .arg(tile(n), bytesText(n.whole("bytes")), bytesText(n.whole("capacity")));
    out.sentence = Words::tr("Cause: %1.").arg(causeLabel(n.word("cause").toStdString()));
    if (n.has("tiles_over")) {
        int const over = pluralOf(n.whole("tiles_over"));
        out.details << Words::tr("%Ln of %1 tiles are over their limit.", nullptr, over).arg(countText(n.whole("tiles")));
    }
    addContents(n, out);
}

void nearlyFull(N const &n, InsightText &out)
{
    out.title = Words::tr("Nearly full: %1 has %2 of %3 placed (%4)")
                    .arg(tile(n), bytesText(n.whole("bytes")), bytesText(n.whole("capacity")), shareText(n.number("share")));
    out.sentence = Words::tr("%1 are left.").arg(bytesText(n.whole("capacity") - n.whole("bytes")));
    addContents(n, out);
}

void codeRegionFull(N const &n, InsightText &out)
{
    out.title = Words::tr("The executable region of %1 has only %2 left").arg(tile(n), bytesText(n.whole("room")));
    int const tiles = pluralOf(n.whole("tiles"));
    out.sentence = Words::tr("Code must lie in the first %1 of a tile, while %2 of the tile are free elsewhere. %Ln tile(s) are like that.",
                             nullptr, tiles)
                       .arg(bytesText(n.whole("region")), bytesText(n.whole("headroom")));
}

void unequalIpus(N const &n, InsightText &out)
{
    out.title = Words::tr("IPU %1 carries more than the others: %2 on its worst tile, %3 on average")
                    .arg(n.whole("ipu"))
                    .arg(bytesText(n.whole("bytes")), bytesText(n.whole("mean")));
    out.sentence = Words::tr("A tile has %1. Another cut into stages moves layers to the other IPUs.").arg(bytesText(n.whole("capacity")));
}

void largestAtPeak(N const &n, InsightText &out)
{
    out.title =
        Words::tr("At its peak (liveness step %1) %2 holds %3 live").arg(countText(n.whole("step")), tile(n), bytesText(n.whole("live")));
    out.sentence = largestAtPeakText(listed(n, "largest"));
}

void muchCode(N const &n, InsightText &out)
{
    out.title = Words::tr("Code takes %1 of what %2 always holds").arg(shareText(n.number("share")), tile(n));
    out.sentence = Words::tr("%1 of %2 are code.").arg(bytesText(n.whole("code")), bytesText(n.whole("always_live")));
}

void halfPrecision(N const &n, InsightText &out)
{
    out.title = Words::tr("32-bit variables fill %1 of %2").arg(bytesOfText(n.whole("bytes"), n.whole("total")), tile(n));
    int const variables = pluralOf(n.whole("variables"));
    out.sentence = Words::tr("%Ln variable(s) of weights, activations and gradients are live there at the peak.", nullptr, variables);
    out.details << Words::tr("Layers whose dtype is float16 or mixed_float16 hold them in 16 bits, which changes the results.");
}

void uneven(N const &n, InsightText &out)
{
    out.title = Words::tr("%1 is uneven: its tiles are %2 as busy as the slowest").arg(n.word("name"), shareText(n.number("balance")));
    int const active = pluralOf(n.whole("active_tiles"));
    out.sentence = Words::tr("It takes %1. The slowest of %Ln active tile(s) computes %2 each time; the others wait.", nullptr, active)
                       .arg(ofStep(n), cyclesText(n.whole("slowest")));
    if (n.has("tile")) out.details << Words::tr("The slowest is %1.").arg(tile(n)); // not before version 2
}

void fewTiles(N const &n, InsightText &out)
{
    out.title = Words::tr("%1 uses %2 of %3 tiles").arg(n.word("name"), countText(n.whole("active_tiles")), countText(n.whole("tiles")));
    int const executions = pluralOf(n.whole("executions"));
    out.sentence = Words::tr("It takes %1 (%2, %Ln execution(s)) while the other tiles wait.", nullptr, executions)
                       .arg(ofStep(n), cyclesText(n.whole("cycles")));
    if (n.has("tile")) out.details << Words::tr("The slowest is %1.").arg(tile(n));
}

void exchangeBound(N const &n, InsightText &out)
{
    out.title = Words::tr("Bound by exchange: moving data takes %1, more than computing").arg(ofStep(n));
    out.sentence = Words::tr("IPU %1 exchanges for %2 and computes for %3.")
                       .arg(n.whole("ipu"))
                       .arg(cyclesText(n.whole("exchange")), cyclesText(n.whole("compute")));
    if (auto const most = n.object("largest"); !most.isEmpty())
        out.details << Words::tr("Most of it: %1, %2.")
                           .arg(most.value(QLatin1String("name")).toString(), cyclesText(most.value(QLatin1String("cycles")).toInteger()));
    addItsIpu(n, out);
    addOperations(n, out);
}

void largeExchange(N const &n, InsightText &out)
{
    out.title = Words::tr("Exchange takes %1").arg(ofStep(n));
    out.sentence = Words::tr("Tiles send and receive for %1 of each weight update.").arg(cyclesText(n.whole("exchange")));
    addOperations(n, out);
}

void waitingTiles(N const &n, InsightText &out)
{
    out.title = Words::tr("Tiles wait for slower tiles: %1").arg(ofStep(n));
    out.sentence =
        Words::tr("A compute phase ends with its slowest tile; the mean tile works %1 of that time. The busiest is %2: it computes for %3, "
                  "the mean tile for %4.")
            .arg(shareText(n.number("balance")), tile(n), cyclesText(n.whole("busy")), cyclesText(n.whole("mean")));
    addOperations(n, out);
}

void syncBound(N const &n, InsightText &out)
{
    out.title = Words::tr("Barriers take %1").arg(ofStep(n));
    out.sentence = Words::tr("IPU %1 waits at barriers for %2 of %3.")
                       .arg(n.whole("ipu"))
                       .arg(cyclesText(n.whole("sync")), cyclesText(n.whole("cycles")));
    addItsIpu(n, out);
}

void shortSupersteps(N const &n, InsightText &out)
{
    int const sets = pluralOf(n.whole("compute_sets")), times = pluralOf(n.whole("executions"));
    out.title = Words::tr("%Ln compute set(s) are shorter than a barrier", nullptr, sets);
    out.sentence =
        Words::tr("They run %Ln time(s) and pay %1 of sync each: %2.", nullptr, times).arg(cyclesText(n.whole("sync")), ofStep(n));
}

void streamBound(N const &n, InsightText &out)
{
    out.title = Words::tr("Transfers from and to the host take %1").arg(ofStep(n));
    int const transfers = pluralOf(n.whole("transfers"));
    out.sentence = Words::tr("%1 in %Ln transfer(s) take %2 on IPU %3; the link alone would need %4.", nullptr, transfers)
                       .arg(bytesText(n.whole("bytes")), cyclesText(n.whole("stream")))
                       .arg(n.whole("ipu"))
                       .arg(cyclesText(n.whole("data_cycles")));
    if (auto const most = n.object("largest"); !most.isEmpty())
        out.details << Words::tr("The largest: %1, %2.")
                           .arg(most.value(QLatin1String("name")).toString(), bytesText(most.value(QLatin1String("bytes")).toInteger()));
    addItsIpu(n, out);
    if (n.word("advice") == QLatin1String("larger_batch")) out.details << Words::tr("Handshakes are most of it; each serves one batch.");
    if (n.word("advice") == QLatin1String("overlap"))
        out.details << Words::tr("The data fill the link: send fewer bytes, or hide the transfers behind the compute steps (IO tiles).");
}

void remoteBound(N const &n, InsightText &out)
{
    out.title = Words::tr("Copies from and to streaming memory take %1").arg(ofStep(n));
    int const count = pluralOf(n.whole("count"));
    out.sentence = Words::tr("%1 in %Ln cop(ies) take %2 on IPU %3.", nullptr, count)
                       .arg(bytesText(n.whole("bytes")), cyclesText(n.whole("copies")))
                       .arg(n.whole("ipu"));
    addItsIpu(n, out);
    out.details << Words::tr("An update copies the same bytes for any batch size.");
}

void shortExecutions(N const &n, InsightText &out)
{
    out.title = Words::tr("The program is started for every single step");
    out.sentence =
        Words::tr("A step takes %1 (modelled), with %Ln step(s) per execution.", nullptr, static_cast<int>(n.whole("steps_per_execution")))
            .arg(secondsText(n.number("seconds_per_step")));
}

void boundRelaxed(N const &n, InsightText &out)
{
    out.title = Words::tr("%1 needs more temporary memory than it was given").arg(n.word("name"));
    out.sentence = Words::tr("Its best plan takes %1, %2 of a tile; %3 are allowed.")
                       .arg(bytesText(n.whole("temporary_bytes")), shareText(n.number("needed")), shareText(n.number("proportion")));
}

void farFromPeak(N const &n, InsightText &out)
{
    out.title = Words::tr("%1 takes %2 times what its arithmetic needs").arg(n.word("name"), numberText(n.number("factor")));
    out.sentence =
        Words::tr("Estimated %1, ideally %2; it is %3.").arg(cyclesText(n.whole("cycles")), cyclesText(n.whole("ideal")), ofStep(n));
}

void longRamps(N const &n, InsightText &out)
{
    // Before version 2 of the rule: the empty places of the schedule's table alone.
    bool const timed = n.has("ramps");
    out.title = timed ? Words::tr("Filling and draining takes %1 of the pipeline's time").arg(shareText(n.number("ramps")))
                      : Words::tr("Filling and draining leaves %1 of the schedule's places empty").arg(shareText(n.number("theory")));
    int const stages = pluralOf(n.whole("stages"));
    out.sentence = Words::tr("With %Ln stage(s), all bubbles together are %1 of the pipeline's time.", nullptr, stages)
                       .arg(shareText(n.number("share")));
    out.details << Words::tr("A weight update fills and drains the pipeline once.");
}

void otherSchedule(N const &n, InsightText &out)
{
    out.title = Words::tr("By the times of its stages, the grouped schedule takes %1 less of the pipeline's time")
                    .arg(shareText(n.number("saved")));
    out.sentence = n.word("schedule") == QStringLiteral("sequential")
        ? Words::tr("The sequential schedule runs one stage of one micro-batch at a time. In the grouped one stages work at "
                    "the same time, and activations wait for their backward.")
        : Words::tr("The interleaved schedule has a forward beside a backward in a slot, which takes as long as the longer. "
                    "The grouped one has both on each IPU, and twice the activations wait.");
    out.details << Words::tr("All bubbles together are %1 of the pipeline's time.").arg(shareText(n.number("share")));
}

void unequalStages(N const &n, InsightText &out)
{
    out.title = Words::tr("Stage %1 is the slowest: the others wait for it").arg(n.whole("slowest"));
    out.sentence =
        Words::tr("It takes %1 per micro-batch, the mean is %2.").arg(cyclesText(n.whole("cycles")), cyclesText(n.whole("mean")));
    if (n.has("imbalance"))
        out.details << Words::tr("Waiting for slower stages is %1 of the pipeline's time, all bubbles together are %2.")
                           .arg(shareText(n.number("imbalance")), shareText(n.number("share")));
    else out.details << Words::tr("All bubbles together are %1 of the pipeline's time.").arg(shareText(n.number("share")));
    out.details << Words::tr("The menu of the canvas proposes stages.");
}

} // namespace

bool fillRuleText(std::string const &rule, InsightNumbers const &numbers, InsightText &out)
{
    static std::map<std::string, void (*)(N const &, InsightText &)> const kRules{{"memory.does-not-fit", doesNotFit},
                                                                                  {"memory.nearly-full", nearlyFull},
                                                                                  {"memory.code-region-full", codeRegionFull},
                                                                                  {"memory.unequal-ipus", unequalIpus},
                                                                                  {"memory.largest-at-peak", largestAtPeak},
                                                                                  {"memory.much-code", muchCode},
                                                                                  {"memory.half-precision", halfPrecision},
                                                                                  {"compute.uneven", uneven},
                                                                                  {"compute.few-tiles", fewTiles},
                                                                                  {"exchange.bound", exchangeBound},
                                                                                  {"exchange.large", largeExchange},
                                                                                  {"tiles.waiting", waitingTiles},
                                                                                  {"sync.bound", syncBound},
                                                                                  {"compute.short-supersteps", shortSupersteps},
                                                                                  {"host.stream-bound", streamBound},
                                                                                  {"remote.copy-bound", remoteBound},
                                                                                  {"host.short-executions", shortExecutions},
                                                                                  {"matmul.bound-relaxed", boundRelaxed},
                                                                                  {"matmul.far-from-peak", farFromPeak},
                                                                                  {"pipeline.long-ramps", longRamps},
                                                                                  {"pipeline.other-schedule", otherSchedule},
                                                                                  {"pipeline.unequal-stages", unequalStages}};
    auto const it = kRules.find(rule);
    if (it == kRules.end()) return false;
    it->second(numbers, out);
    return true;
}

} // namespace tilewright::views
