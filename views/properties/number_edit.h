#pragma once

#include <QAbstractSpinBox>

#include <optional>

namespace tilewright::views {

/// A typed number in the engine's form: decimal point instead of the locale's mark, no groups in whole numbers. Other text is returned
/// unchanged, so that the engine reports the error.
QString numberToEngine(QString const &typed, bool integer);
/// The engine's text with the locale's decimal mark and without groups. Other text is returned unchanged.
QString numberFromEngine(QString const &text);
/// One step up or down, within the range: 1 for whole numbers, otherwise one unit of the leading digit (0.001 to 0.002, 0.001 to 0.0009).
double steppedNumber(double value, int steps, bool integer, std::optional<double> min, std::optional<double> max);

/// A spin box of exact numbers: 64-bit integers and doubles without rounding. It accepts every character; errors are reported, not
/// suppressed.
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
    void edited();  ///< by the user
    void stepped(); ///< by arrows or wheel: a complete change
protected:
    StepEnabled stepEnabled() const override;
    void wheelEvent(QWheelEvent *event) override;

private:
    bool m_integer;
    std::optional<double> m_min, m_max;
};

} // namespace tilewright::views
