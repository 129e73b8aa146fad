#pragma once

#include <QString>

#include <optional>
#include <string_view>

namespace tilewright::views {

/// The unit of a quantity. Words have none.
enum class QuantityKind { Words, Count, Bytes, Cycles, Seconds, Share, Rate, Hertz };

/// How a value was obtained. Values of different origin are never added or compared without a word.
enum class Origin {
    Fact,            ///< counted or given: no origin is shown
    Modelled,        ///< from the static schedule and the cycle model
    Estimated,       ///< before a compile
    Measured,        ///< on this computer
    MeasuredOnTiles, ///< on the tiles of a run in tile mode
};

/// A value with its unit, its origin and its source. All texts and tooltips of figures are made from it.
struct Quantity {
    QuantityKind kind = QuantityKind::Words;
    std::optional<double> value; ///< nullopt: unknown (yet)
    QString words;               ///< of QuantityKind::Words
    Origin origin = Origin::Fact;
    QString source; ///< what it was modelled from, or where it was measured: "the schedule of one weight update"; may be empty
    bool isKnown() const { return value.has_value() || !words.isEmpty(); }
};

/// "19.8 KiB"; "…" if unknown.
QString quantityText(Quantity const &quantity);
/// All digits, C locale, for exports.
QString quantityExact(Quantity const &quantity);
/// Lines for a tooltip: the exact value (or `about` instead), then origin and source.
QString quantityTip(Quantity const &quantity, QString const &about = {});

/// "modelled", "measured here", …; "" for facts.
QString originText(Origin origin);
/// "Step (modelled)"; the text alone for facts.
QString withOrigin(QString const &text, Origin origin);
/// Of a run's cycles: measured on the tiles, or the schedule times its updates.
Origin originOfCycles(bool measured);

} // namespace tilewright::views
