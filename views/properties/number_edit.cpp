#include "views/properties/number_edit.h"

#include "engine/core/text.h"

#include <QLineEdit>
#include <QLocale>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

QString numberToEngine(QString const &typed, bool integer)
{
    QString const text = typed.trimmed();
    QLocale locale;
    bool good = false;
    if (integer) {
        auto const whole = locale.toLongLong(text, &good);
        return good ? QString::number(whole) : text;
    }
    // No group separators: "0.001" must never be read as 1 where a point separates thousands.
    locale.setNumberOptions(QLocale::RejectGroupSeparator);
    QString point = text;
    if (point.count(locale.decimalPoint()) == 1 && locale.decimalPoint() != QStringLiteral("."))
        point.replace(locale.decimalPoint(), QStringLiteral("."));
    QLocale c = QLocale::c();
    c.setNumberOptions(QLocale::RejectGroupSeparator);
    c.toDouble(point, &good);
    return good ? point : text;
}

QString numberFromEngine(QString const &text)
{
    bool good = false;
    QLocale::c().toDouble(text, &good);
    if (!good) return text;
    QString shown = text;
    if (shown.endsWith(QStringLiteral(".0"))) shown.chop(2);
    return shown.replace(QLatin1Char('.'), QLocale().decimalPoint());
}

double steppedNumber(double value, int steps, bool integer, std::optional<double> min, std::optional<double> max)
{
    double result = value;
    if (integer) {
        result = std::nearbyint(value) + steps;
    } else {
        int const direction = steps > 0 ? 1 : -1;
        for (int i = 0; i < std::abs(steps); ++i) {
            double const size = std::abs(result);
            // Towards zero, a power of ten decreases by one unit of the next digit.
            bool const inward = result * direction < 0;
            double exponent = size > 0 ? std::floor(std::log10(size) + 1e-9) : (min && max ? std::floor(std::log10(*max - *min)) - 1 : -1);
            if (inward && size > 0 && std::abs(size - std::pow(10, exponent)) < size * 1e-9) exponent -= 1;
            double const unit = std::pow(10, exponent);
            result = std::nearbyint(result / unit + direction) * unit;
        }
        // The shortest decimal near the value, instead of 0.30000000000000004.
        result = QString::number(result, 'g', 12).toDouble();
    }
    if (max) result = std::min(result, *max);
    if (min) result = std::max(result, *min);
    return result;
}

NumberEdit::NumberEdit(bool integer, std::optional<double> min, std::optional<double> max, QWidget *parent)
    : QAbstractSpinBox(parent), m_integer(integer), m_min(min), m_max(max)
{
    setFocusPolicy(Qt::StrongFocus); // the wheel gives no focus, so that lists of fields can be scrolled
    setKeyboardTracking(false);
    lineEdit()->setClearButtonEnabled(false);
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberEdit::edited);
}

QString NumberEdit::engineText() const { return numberToEngine(lineEdit()->text(), m_integer); }

void NumberEdit::setEngineText(QString const &text)
{
    QString const shown = numberFromEngine(text);
    if (lineEdit()->text() != shown) lineEdit()->setText(shown);
}

void NumberEdit::setPlaceholder(QString const &text) { lineEdit()->setPlaceholderText(text); }

void NumberEdit::stepBy(int steps)
{
    bool good = false;
    double const value = engineText().toDouble(&good);
    double const from = good ? value : m_min.value_or(0.0) - (m_integer ? steps : 0);
    double const next = steppedNumber(from, steps, m_integer, m_min, m_max);
    QString const text = m_integer ? QString::number(static_cast<qint64>(next)) : QString::fromStdString(numberText(next));
    if (text == engineText()) return;
    setEngineText(text);
    selectAll();
    emit stepped();
}

QAbstractSpinBox::StepEnabled NumberEdit::stepEnabled() const
{
    if (isReadOnly()) return StepNone;
    bool good = false;
    double const value = engineText().toDouble(&good);
    StepEnabled enabled = StepNone;
    if (!good || !m_max || value < *m_max) enabled |= StepUpEnabled;
    if (good && (!m_min || value > *m_min)) enabled |= StepDownEnabled;
    return enabled;
}

void NumberEdit::wheelEvent(QWheelEvent *event)
{
    if (hasFocus()) QAbstractSpinBox::wheelEvent(event);
    else event->ignore();
}

} // namespace tilewright::views
