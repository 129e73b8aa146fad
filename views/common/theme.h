#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QString>

#include <array>
#include <string_view>

class QApplication;

// The look as one table: all colours, fonts and distances of widgets, painters, exports and icons. No other file has literal colours or
// pixel sizes.
namespace tilewright::views {

enum class ThemeKind { Light, Dark, HighContrast };

/// The meaning of a colour.
enum class Token {
    Window,
    Panel,
    Raised,
    Border,
    Grid,
    Text,
    SecondaryText,
    Accent,
    AccentText,
    Good,
    Warning,
    Bad,
    // phases of time
    Compute,
    InternalExchange,
    GlobalExchange,
    Stream,
    Sync,
    Idle,
    ExchangeOut, ///< sent data, beside received data
    // passes
    Forward,
    Recompute,
    Backward,
    Update,
    // categories of memory, in stacking order
    Weights,
    OptimizerState,
    Activations,
    Gradients,
    Accumulators,
    Code,
    ExchangeCode,
    Control,
    VertexState,
    Buffers,
    Stack,
    // layer families
    FamilyInput,
    FamilyCore,
    FamilyActivation,
    FamilyRegularization,
    FamilyMerge,
    FamilyConvolution,
    FamilyPooling,
    FamilyNormalization,
    FamilyRecurrent,
    FamilyAttention,
    FamilyOther,
    Count
};
inline constexpr int kTokens = static_cast<int>(Token::Count);

/// A value: the colours of one theme.
struct Theme {
    ThemeKind kind = ThemeKind::Light;
    std::array<QColor, kTokens> colors;

    QColor operator[](Token token) const { return colors[static_cast<std::size_t>(token)]; }
    bool isDark() const { return kind != ThemeKind::Light; }
    /// Even steps of lightness from low to high; `share` is clamped to 0 … 1.
    QColor sequential(double share) const;
    /// Blue, neutral, orange; `share` is clamped to -1 … 1.
    QColor diverging(double share) const;
};
Theme makeTheme(ThemeKind kind);

/// The current theme (GUI thread).
Theme const &theme();
/// Sets palette, fonts and style sheet. Every widget gets a PaletteChange event and repaints.
void applyTheme(QApplication &application, ThemeKind kind);
/// The theme of the desktop: dark if its background is darker than its text.
ThemeKind systemTheme();

/// compute, internal_exchange, global_exchange, stream, sync, idle; else Idle.
Token phaseToken(std::string_view phase);
/// forward, recompute, backward, update; else Idle.
Token passToken(std::string_view pass);
/// weight, optimizer_state, activation, gradient, accumulator, … (roles of variables).
Token roleToken(std::string_view role);
/// Names of engine/report's memory categories ("vertex_code", "stack", …).
Token categoryToken(std::string_view category);

/// The second cue of a phase beside colour: solid, hatch, dots. `zoomedIn`: there is space for a pattern.
QBrush phaseBrush(Token token, bool zoomedIn);
/// Black or white, whichever has more contrast on `ground`.
QColor textOn(QColor const &ground);
/// Contrast as WCAG defines it, 1 … 21.
double contrastRatio(QColor const &a, QColor const &b);

enum class TextSize { Caption, Body, Headline };
QFont uiFont(TextSize size); ///< with tabular figures if the font has them
QFont monoFont(TextSize size = TextSize::Body);
int fieldHeight(); ///< height of a field with one line of text; larger in large type

/// Everything sits on a grid of 4 px.
inline constexpr int kGrid = 4;
inline constexpr int kGap = 8;
inline constexpr int kRowHeight = 24;
inline constexpr int kCompactRow = 20;
inline constexpr int kIconSize = 16;

} // namespace tilewright::views
