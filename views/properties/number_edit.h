#pragma once

#include <QAbstractSpinBox>

#include <optional>

namespace tilewright::views {

/// The number a person typed as the engine reads it: the locale's decimal mark becomes a point, groups of a
/// whole number go. What is no number comes back as it is, for the engine to say what is wrong with it.
QString numberToEngine(QString const &typed, bool integer);
/// The engine's text with the locale's decimal mark, without groups; other text unchanged.
QString numberFromEngine(QString const &text);
/// One step up or down: 1 for whole numbers, one unit of the leading digit else (0.001 to 0.002, 0.001 to
/// 0.0009), kept inside the range.
double steppedNumber(double value, int steps, bool integer, std::optional<double> min, std::optional<double> max);

/// A spin box of exact numbers: 64-bit whole numbers and doubles as they are, no rounding to decimals. It never
/// refuses a character: what is wrong is told, not swallowed.
class NumberEdit : public QAbstractSpinBox {
    Q_OBJECT
public:
    NumberEdit(bool integer, std::optional<double> min, std::optional<double> max, QWidget *parent);
    QString engineText() const;
    void setEngineText(QString const &text);
    void setPlaceholder(QString const &text);
    QValidator::State validate(QString &, int &) const override { return QValidator::Acceptable; }
    void stepBy(int steps) override;
signals:
    void edited();  ///< by a person
    void stepped(); ///< arrows, wheel: a whole change
protected:
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent *event) override;

private:
    bool m_integer;
    std::optional<double> m_min, m_max;
};

} // namespace tilewright::views
