#include "views/wording/quantity.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <QLocale>
#include <QStringList>

#include <cmath>

namespace tilewright::views {

namespace {

/// All digits with the unit, in the language of the window; "" if the text shows them already. Words whole, for where they are cut.
QString allDigits(Quantity const &quantity)
{
    if (quantity.kind == QuantityKind::Words) return quantity.words;
    if (!quantity.value) return {};
    double const v = *quantity.value;
    switch (quantity.kind) {
    case QuantityKind::Words:
    case QuantityKind::Count: return {};
    case QuantityKind::Bytes: return bytesExact(std::llround(v));
    case QuantityKind::Cycles: return Words::tr("%1 cycles").arg(countText(std::llround(v)));
    case QuantityKind::Seconds: return Words::tr("%1 s").arg(QLocale().toString(v, 'g', 9));
    case QuantityKind::Share: return Words::tr("%1 %").arg(QLocale().toString(100 * v, 'g', 9));
    case QuantityKind::Rate: return Words::tr("%1 a second").arg(QLocale().toString(v, 'g', 9));
    case QuantityKind::Hertz: return Words::tr("%1 Hz").arg(QLocale().toString(v, 'g', 12));
    }
    return {};
}

} // namespace

QString quantityText(Quantity const &quantity)
{
    if (quantity.kind == QuantityKind::Words) return quantity.words;
    if (!quantity.value) return QStringLiteral("…");
    double const v = *quantity.value;
    switch (quantity.kind) {
    case QuantityKind::Words: break;
    case QuantityKind::Count: return countText(std::llround(v));
    case QuantityKind::Bytes: return bytesText(std::llround(v));
    case QuantityKind::Cycles: return cyclesText(std::llround(v));
    case QuantityKind::Seconds: return secondsText(v);
    case QuantityKind::Share: return shareText(v);
    case QuantityKind::Rate: return shortCount(v);
    case QuantityKind::Hertz: return Words::tr("%1Hz").arg(shortCount(v));
    }
    return {};
}

QString quantityExact(Quantity const &quantity)
{
    if (quantity.kind == QuantityKind::Words) return quantity.words;
    return quantity.value ? QLocale::c().toString(*quantity.value, 'g', 12) : QString();
}

QString quantityTip(Quantity const &quantity, QString const &about)
{
    QStringList lines{about.isEmpty() ? allDigits(quantity) : about};
    QString const origin = originText(quantity.origin);
    lines << (origin.isEmpty() || quantity.source.isEmpty() ? origin + quantity.source : Words::tr("%1: %2").arg(origin, quantity.source));
    lines.removeAll(QString());
    return lines.join(QLatin1Char('\n'));
}

QString originText(Origin origin)
{
    switch (origin) {
    case Origin::Fact: return {};
    case Origin::Modelled: return originLabel("modelled");
    case Origin::Estimated: return originLabel("estimated");
    case Origin::Measured: return originLabel("measured");
    case Origin::MeasuredOnTiles: return cyclesOrigin(true);
    }
    return {};
}

QString withOrigin(QString const &text, Origin origin)
{
    return origin == Origin::Fact ? text : Words::tr("%1 (%2)").arg(text, originText(origin));
}

Origin originOfCycles(bool measured) { return measured ? Origin::MeasuredOnTiles : Origin::Modelled; }

} // namespace tilewright::views
