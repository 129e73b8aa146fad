#include "views/tiles/part_keys.h"

#include "views/reports/report_snapshot.h"
#include "views/tiles/column_painter.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <map>
#include <memory>

namespace tilewright::views {

using namespace report;

namespace {

QString words(char const *text) { return QCoreApplication::translate("views", text); }

struct Word {
    char const *id;
    char const *text;
};

// Stacks begin with permanent contents and end with temporary ones.
constexpr std::array kRoles{Word{"weight", QT_TRANSLATE_NOOP("views", "weights")},
                            Word{"optimizer_state", QT_TRANSLATE_NOOP("views", "optimizer state")},
                            Word{"constant", QT_TRANSLATE_NOOP("views", "constants")},
                            Word{"activation", QT_TRANSLATE_NOOP("views", "activations")},
                            Word{"input", QT_TRANSLATE_NOOP("views", "inputs")},
                            Word{"output", QT_TRANSLATE_NOOP("views", "outputs")},
                            Word{"gradient", QT_TRANSLATE_NOOP("views", "gradients")},
                            Word{"accumulator", QT_TRANSLATE_NOOP("views", "accumulators")},
                            Word{"partial", QT_TRANSLATE_NOOP("views", "partial results")},
                            Word{"temporary", QT_TRANSLATE_NOOP("views", "temporaries")},
                            Word{"message", QT_TRANSLATE_NOOP("views", "messages")},
                            Word{"other", QT_TRANSLATE_NOOP("views", "other variables")}};

constexpr std::array<char const *, kMemoryCategories> kCategories{QT_TRANSLATE_NOOP("views", "variables"),
                                                                  QT_TRANSLATE_NOOP("views", "constants"),
                                                                  QT_TRANSLATE_NOOP("views", "outputs"),
                                                                  QT_TRANSLATE_NOOP("views", "vertex code"),
                                                                  QT_TRANSLATE_NOOP("views", "vertex state"),
                                                                  QT_TRANSLATE_NOOP("views", "vertex fields"),
                                                                  QT_TRANSLATE_NOOP("views", "code of exchanges in the IPU"),
                                                                  QT_TRANSLATE_NOOP("views", "code of exchanges between IPUs"),
                                                                  QT_TRANSLATE_NOOP("views", "code of host exchanges"),
                                                                  QT_TRANSLATE_NOOP("views", "global packet headers"),
                                                                  QT_TRANSLATE_NOOP("views", "host packet headers"),
                                                                  QT_TRANSLATE_NOOP("views", "exchange buffers"),
                                                                  QT_TRANSLATE_NOOP("views", "rearrangement"),
                                                                  QT_TRANSLATE_NOOP("views", "control code"),
                                                                  QT_TRANSLATE_NOOP("views", "control tables"),
                                                                  QT_TRANSLATE_NOOP("views", "control ids"),
                                                                  QT_TRANSLATE_NOOP("views", "copy descriptors"),
                                                                  QT_TRANSLATE_NOOP("views", "vector list descriptors"),
                                                                  QT_TRANSLATE_NOOP("views", "stacks"),
                                                                  QT_TRANSLATE_NOOP("views", "instrumentation"),
                                                                  QT_TRANSLATE_NOOP("views", "shared code")};

/// The compiler's own bytes in breakdowns by role: six kinds after the roles.
constexpr std::array kMade{std::pair{Token::Code, QT_TRANSLATE_NOOP("views", "vertex code")},
                           std::pair{Token::ExchangeCode, QT_TRANSLATE_NOOP("views", "exchange code")},
                           std::pair{Token::Control, QT_TRANSLATE_NOOP("views", "control")},
                           std::pair{Token::VertexState, QT_TRANSLATE_NOOP("views", "vertex state")},
                           std::pair{Token::Buffers, QT_TRANSLATE_NOOP("views", "buffers")},
                           std::pair{Token::Stack, QT_TRANSLATE_NOOP("views", "stacks")}};

int madeKind(MemoryCategory category)
{
    Token const token = categoryToken(toText(category));
    for (std::size_t i = 0; i < kMade.size(); ++i)
        if (kMade[i].first == token) return static_cast<int>(i);
    return 4; // data without a variable: a buffer
}

int roleIndex(std::string_view role)
{
    for (std::size_t i = 0; i < kRoles.size(); ++i)
        if (role == kRoles[i].id) return static_cast<int>(i);
    return static_cast<int>(kRoles.size()) - 1;
}

ColumnBand bandOf(PartKey const &key)
{
    ColumnBand band;
    band.token = key.token;
    band.shade = key.shade;
    return band;
}

/// Keys of one token get lighter shades, and each key another lightness than the key below it in the stack.
void shade(std::vector<PartKey> &keys)
{
    std::map<Token, int> used;
    PartKey const *below = nullptr;
    for (auto &key : keys) {
        int const first = used[key.token];
        for (key.shade = first; below && key.shade < first + kShades; ++key.shade)
            if (differInLightness(bandOf(*below), bandOf(key))) break;
        used[key.token] = key.shade + 1;
        below = &key;
    }
}

PartKeys byRole(ReportSnapshot const &report)
{
    PartKeys all;
    for (auto const &role : kRoles) all.keys.push_back({words(role.text), roleToken(role.id), 0});
    for (auto const &[token, text] : kMade) all.keys.push_back({words(text), token, 0});
    shade(all.keys);
    auto roles = std::make_shared<std::vector<int>>();
    for (auto const &variable : report.data().variables) roles->push_back(roleIndex(variable.role));
    all.of = [roles](LoweredVariable const &item) {
        if (item.variable >= 0 && item.variable < static_cast<int>(roles->size())) return (*roles)[static_cast<std::size_t>(item.variable)];
        return static_cast<int>(kRoles.size()) + madeKind(item.category);
    };
    return all;
}

PartKeys byLayer(ReportSnapshot const &report, int most)
{
    static constexpr std::array kColors{Token::Weights, Token::Activations,    Token::Gradients,
                                        Token::Buffers, Token::VertexState,    Token::Accumulators,
                                        Token::Control, Token::OptimizerState, Token::ExchangeCode};
    auto const &d = report.data();
    std::map<int, Bytes> bytesOf;
    auto layers = std::make_shared<std::vector<int>>();
    for (auto const &variable : d.variables) {
        int const layer = report.layerOp(variable.op);
        layers->push_back(layer);
        if (layer >= 0) bytesOf[layer] += variable.bytes;
    }
    std::vector<std::pair<Bytes, int>> largest;
    for (auto const &[layer, bytes] : bytesOf) largest.emplace_back(-bytes, layer);
    std::sort(largest.begin(), largest.end());
    if (static_cast<int>(largest.size()) > most) largest.resize(static_cast<std::size_t>(most));
    std::vector<int> own;
    for (auto const &[bytes, layer] : largest) own.push_back(layer);
    std::sort(own.begin(), own.end()); // in the order of the model
    PartKeys all;
    std::map<int, int> keyOf;
    for (std::size_t i = 0; i < own.size(); ++i) {
        keyOf[own[i]] = static_cast<int>(i);
        all.keys.push_back({QString::fromStdString(d.ops[static_cast<std::size_t>(own[i])].name), kColors[i % kColors.size()],
                            static_cast<int>(i / kColors.size())});
    }
    int const others = static_cast<int>(own.size());
    all.keys.push_back({words(QT_TRANSLATE_NOOP("views", "other layers")), Token::Sync, 0});
    all.keys.push_back({words(QT_TRANSLATE_NOOP("views", "of no layer")), Token::Stack, 1});
    all.keys.push_back({words(QT_TRANSLATE_NOOP("views", "code, control and stacks")), Token::Code, 0});
    for (auto &layer : *layers) {
        auto const known = keyOf.find(layer);
        layer = layer < 0 ? others + 1 : known == keyOf.end() ? others : known->second;
    }
    all.of = [layers, others](LoweredVariable const &item) {
        return item.variable >= 0 && item.variable < static_cast<int>(layers->size()) ? (*layers)[static_cast<std::size_t>(item.variable)]
                                                                                      : others + 2;
    };
    return all;
}

} // namespace

QString toText(Breakdown by)
{
    switch (by) {
    case Breakdown::None: return words(QT_TRANSLATE_NOOP("views", "nothing"));
    case Breakdown::Region: return words(QT_TRANSLATE_NOOP("views", "region"));
    case Breakdown::Category: return words(QT_TRANSLATE_NOOP("views", "category"));
    case Breakdown::Liveness: return words(QT_TRANSLATE_NOOP("views", "liveness"));
    case Breakdown::Layer: return words(QT_TRANSLATE_NOOP("views", "layer"));
    case Breakdown::Role: return words(QT_TRANSLATE_NOOP("views", "role"));
    }
    return {};
}

char const *idOf(Breakdown by)
{
    static constexpr std::array<char const *, kBreakdowns> kIds{"none", "region", "category", "liveness", "layer", "role"};
    return kIds[static_cast<std::size_t>(by)];
}

Breakdown parseBreakdown(QString const &id)
{
    for (int i = 0; i < kBreakdowns; ++i)
        if (id == QLatin1String(idOf(static_cast<Breakdown>(i)))) return static_cast<Breakdown>(i);
    return Breakdown::Role;
}

QColor partColor(PartKey const &key, Theme const &theme) { return bandColor(bandOf(key), theme); }

PartKey const &PartKeys::keyOf(int variable, MemoryCategory category) const
{
    LoweredVariable item;
    item.variable = variable;
    item.category = category;
    return keys[static_cast<std::size_t>(of(item))];
}

PartKeys partKeys(ReportSnapshot const &report, Breakdown by, int mostLayers)
{
    PartKeys all;
    switch (by) {
    case Breakdown::None:
        all.keys = {{words(QT_TRANSLATE_NOOP("views", "used")), Token::Weights, 0}};
        all.of = [](LoweredVariable const &) { return 0; };
        break;
    case Breakdown::Region:
        all.keys = {{regionText(Region::NonInterleaved), Token::Code, 0},
                    {regionText(Region::Interleaved), Token::Activations, 0},
                    {regionText(Region::Overflowed), Token::Bad, 0}};
        all.of = [](LoweredVariable const &item) { return static_cast<int>(item.region); };
        break;
    case Breakdown::Category:
        for (int i = 0; i < kMemoryCategories; ++i)
            all.keys.push_back({categoryText(static_cast<MemoryCategory>(i)), categoryToken(toText(static_cast<MemoryCategory>(i))), 0});
        shade(all.keys);
        all.of = [](LoweredVariable const &item) { return static_cast<int>(item.category); };
        break;
    case Breakdown::Liveness: {
        all.keys = {{words(QT_TRANSLATE_NOOP("views", "always live")), Token::Weights, 0},
                    {words(QT_TRANSLATE_NOOP("views", "not always live")), Token::Activations, 0}};
        auto always = std::make_shared<std::vector<char>>();
        for (auto const &row : report.data().livenessClasses) always->push_back(row.alwaysLive);
        all.of = [always](LoweredVariable const &item) {
            auto const c = static_cast<std::size_t>(item.livenessClass);
            return item.livenessClass >= 0 && c < always->size() && (*always)[c] ? 0 : 1;
        };
        break;
    }
    case Breakdown::Layer: return byLayer(report, mostLayers);
    case Breakdown::Role: return byRole(report);
    }
    return all;
}

PartKey mixedKey() { return {words(QT_TRANSLATE_NOOP("views", "several, at different times")), Token::Sync, 0}; }

QString roleText(std::string_view role) { return words(kRoles[static_cast<std::size_t>(roleIndex(role))].text); }
QString categoryText(MemoryCategory category) { return words(kCategories[static_cast<std::size_t>(category)]); }

QString regionText(Region region)
{
    switch (region) {
    case Region::NonInterleaved: return words(QT_TRANSLATE_NOOP("views", "non-interleaved"));
    case Region::Interleaved: return words(QT_TRANSLATE_NOOP("views", "interleaved"));
    case Region::Overflowed: return words(QT_TRANSLATE_NOOP("views", "overflowed"));
    }
    return {};
}

QString gapText(GapReason reason)
{
    switch (reason) {
    case GapReason::None: return words(QT_TRANSLATE_NOOP("views", "no gap"));
    case GapReason::Alignment: return words(QT_TRANSLATE_NOOP("views", "alignment of what follows"));
    case GapReason::Element: return words(QT_TRANSLATE_NOOP("views", "what follows may not share a memory element"));
    case GapReason::RegionEnd: return words(QT_TRANSLATE_NOOP("views", "what follows has to lie in the next region"));
    case GapReason::Fragmentation: return words(QT_TRANSLATE_NOOP("views", "left over between lifetimes (fragmentation)"));
    }
    return {};
}

} // namespace tilewright::views
