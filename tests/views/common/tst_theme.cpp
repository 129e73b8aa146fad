#include "tests/support/test_registry.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QtTest>

#include <cmath>

using namespace tilewright::views;

namespace {

double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double gamma(double c) { return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055; }

/// Viénot, Brettel and Mollon 1999: how a dichromat sees a colour.
QColor simulated(QColor const &c, bool deuteranopia)
{
    double const r = linear(c.redF()), g = linear(c.greenF()), b = linear(c.blueF());
    double const l = 17.8824 * r + 43.5161 * g + 4.11935 * b;
    double const m = 3.45565 * r + 27.1554 * g + 3.86714 * b;
    double const s = 0.0299566 * r + 0.184309 * g + 1.46709 * b;
    double const l2 = deuteranopia ? l : 2.02344 * m - 2.52581 * s;
    double const m2 = deuteranopia ? 0.494207 * l + 1.24827 * s : m;
    auto const clamp = [](double v) { return static_cast<float>(std::min(1.0, std::max(0.0, gamma(std::max(0.0, v))))); };
    return QColor::fromRgbF(clamp(0.0809444479 * l2 - 0.130504409 * m2 + 0.116721066 * s),
                            clamp(-0.0102485335 * l2 + 0.0540193266 * m2 - 0.113614708 * s),
                            clamp(-0.000365296938 * l2 - 0.00412161469 * m2 + 0.693511405 * s));
}

double distance(QColor const &a, QColor const &b)
{
    // CIE76 in Lab.
    auto const lab = [](QColor const &c) {
        double const r = linear(c.redF()), g = linear(c.greenF()), bl = linear(c.blueF());
        double const x = (0.4124 * r + 0.3576 * g + 0.1805 * bl) / 0.95047, y = 0.2126 * r + 0.7152 * g + 0.0722 * bl,
                     z = (0.0193 * r + 0.1192 * g + 0.9505 * bl) / 1.08883;
        auto const f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        return std::array{116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
    };
    auto const p = lab(a), q = lab(b);
    return std::sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1]) + (p[2] - q[2]) * (p[2] - q[2]));
}

constexpr Token kPhases[] = {Token::Compute, Token::InternalExchange, Token::GlobalExchange, Token::Stream, Token::Sync};

} // namespace

class TstTheme : public QObject {
    Q_OBJECT
private slots:
    void textReadsOnEveryGround_data()
    {
        QTest::addColumn<int>("kind");
        for (int k = 0; k < 3; ++k) QTest::addRow("%d", k) << k;
    }
    void textReadsOnEveryGround()
    {
        QFETCH(int, kind);
        auto const t = makeTheme(static_cast<ThemeKind>(kind));
        for (auto ground : {Token::Window, Token::Panel, Token::Raised})
            for (auto text : {Token::Text, Token::SecondaryText, Token::Bad})
                QVERIFY2(contrastRatio(t[text], t[ground]) >= 4.5, qPrintable(t[text].name()));
        QVERIFY(contrastRatio(t[Token::AccentText], t[Token::Accent]) >= 4.5);
    }
    void marksStandOutFromThePanel_data() { textReadsOnEveryGround_data(); }
    void marksStandOutFromThePanel()
    {
        QFETCH(int, kind);
        auto const t = makeTheme(static_cast<ThemeKind>(kind));
        for (int i = static_cast<int>(Token::Compute); i < kTokens; ++i) {
            auto const token = static_cast<Token>(i);
            if (token == Token::Idle) continue; // the ground, faintly hatched
            QVERIFY2(contrastRatio(t[token], t[Token::Panel]) >= 3.0,
                     qPrintable(QStringLiteral("token %1 %2").arg(i).arg(t[token].name())));
        }
    }
    void phasesDifferForColourBlindEyes_data() { textReadsOnEveryGround_data(); }
    void phasesDifferForColourBlindEyes()
    {
        QFETCH(int, kind);
        auto const t = makeTheme(static_cast<ThemeKind>(kind));
        for (auto a : kPhases)
            for (auto b : kPhases) {
                if (a >= b) continue;
                QVERIFY(distance(t[a], t[b]) > 10);
                // The remaining difference can be small, because the pattern is the second cue. Sync differs by its shape: thin, in the
                // lower half of a lane.
                bool const sameBrush = phaseBrush(a, true).style() == phaseBrush(b, true).style() && b != Token::Sync;
                for (bool deuteranopia : {true, false})
                    QVERIFY2(!sameBrush || distance(simulated(t[a], deuteranopia), simulated(t[b], deuteranopia)) > 6,
                             qPrintable(t[a].name() + t[b].name()));
            }
    }
    /// The accent marks the selection and the primary action, so no phase may look like it.
    void noPhaseLooksLikeTheAccent_data() { textReadsOnEveryGround_data(); }
    void noPhaseLooksLikeTheAccent()
    {
        QFETCH(int, kind);
        auto const t = makeTheme(static_cast<ThemeKind>(kind));
        for (auto phase : kPhases) {
            if (phase == Token::InternalExchange && t.kind == ThemeKind::HighContrast)
                continue; // black, white, accent: the hatch is the difference
            QVERIFY2(distance(t[phase], t[Token::Accent]) > 20, qPrintable(t[phase].name()));
        }
        if (t.kind == ThemeKind::Light) QCOMPARE(t[Token::GlobalExchange], QColor("#7A4A12"));
    }
    void theScaleGrowsEvenlyInLightness()
    {
        for (auto kind : {ThemeKind::Light, ThemeKind::Dark}) {
            auto const t = makeTheme(kind);
            double last = t.sequential(0).lightnessF();
            for (int i = 1; i <= 10; ++i) {
                double const now = t.sequential(i / 10.0).lightnessF();
                QVERIFY(t.isDark() ? now > last - 1e-3 : now < last + 1e-3);
                last = now;
            }
            QVERIFY(std::abs(t.sequential(1).lightnessF() - t.sequential(0).lightnessF()) > 0.3);
            QCOMPARE(t.sequential(-3), t.sequential(0));
            QCOMPARE(t.sequential(std::nan("")), t.sequential(0));
        }
    }
    void applyingAThemeChangesThePalette()
    {
        applyTheme(*qApp, ThemeKind::Dark);
        QCOMPARE(qApp->palette().color(QPalette::Window), makeTheme(ThemeKind::Dark)[Token::Window]);
        applyTheme(*qApp, ThemeKind::Light);
        QCOMPARE(theme().kind, ThemeKind::Light);
        QCOMPARE(qApp->palette().color(QPalette::Base), QColor("#FFFFFF"));
    }
};

TW_REGISTER_TEST(TstTheme);
#include "tst_theme.moc"
