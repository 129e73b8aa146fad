#include "views/tiles/tile_grammar.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilewright::views {

namespace {

QString words(char const *text) { return QCoreApplication::translate("views", text); }

/// Reads one text; the state is one flag per tile.
class Reader {
public:
    Reader(QString const &text, TileWords const &with)
        : m_text(text), m_with(with), m_tiles(with.ipus * with.tilesPerIpu), m_chosen(static_cast<std::size_t>(std::max(0, m_tiles)), 0)
    {
    }

    TileChoice read()
    {
        while (m_choice.ok() && !atEnd()) {
            if (take(',')) continue; // empty parts are ignored
            if (atEnd()) break;
            part();
            if (!m_choice.ok()) break;
            skipSpace();
            if (!atEnd() && !take(',')) fail(words(QT_TRANSLATE_NOOP("views", "A comma is missing before \"%1\".")).arg(rest()));
        }
        if (m_choice.ok())
            for (int t = 0; t < m_tiles; ++t)
                if (m_chosen[static_cast<std::size_t>(t)]) m_choice.tiles.push_back(t);
        return std::move(m_choice);
    }

private:
    void part()
    {
        skipSpace();
        bool const away = take('-');
        // Only exclusions: start from all tiles.
        if (away && !m_any) std::fill(m_chosen.begin(), m_chosen.end(), char(1));
        m_any = true;
        skipSpace();
        if (atEnd()) return fail(words(QT_TRANSLATE_NOOP("views", "A tile, a range or a size is missing.")));
        if (isDigit(peek())) {
            auto const range = readRange(m_tiles, words(QT_TRANSLATE_NOOP("views", "There is no tile %1: tiles are 0 to %2.")));
            if (range) mark(range->first, range->second, away);
            return;
        }
        if (peek() == '<' || peek() == '>' || peek() == '=') return compare(away);
        int const at = m_at;
        QString word;
        while (!atEnd() && peek().isLetter()) word += m_text[m_at++].toLower();
        if (word == QLatin1String("all")) return mark(0, m_tiles - 1, away);
        if (word == QLatin1String("worst")) {
            if (m_with.worstTile < 0) return fail(words(QT_TRANSLATE_NOOP("views", "The worst tile is not known.")), at);
            return mark(m_with.worstTile, m_with.worstTile, away);
        }
        if (word == QLatin1String("io")) {
            if (m_with.ioTiles.empty()) return fail(words(QT_TRANSLATE_NOOP("views", "This machine has no IO tiles.")), at);
            for (int t = 0; t < m_tiles; ++t)
                if (auto const i = static_cast<std::size_t>(t % m_with.tilesPerIpu); i < m_with.ioTiles.size() && m_with.ioTiles[i])
                    mark(t, t, away);
            return;
        }
        if (word == QLatin1String("ipu")) return ipu(away);
        fail(words(QT_TRANSLATE_NOOP("views", "\"%1\" is not a tile. Write tiles as 7, 0-63, ipu3, ipu3:0-63, >600k, >90%, worst or all."))
                 .arg(partText(at)),
             at);
    }

    void ipu(bool away)
    {
        skipSpace();
        if (atEnd() || !isDigit(peek())) return fail(words(QT_TRANSLATE_NOOP("views", "The number of the IPU is missing: write ipu0.")));
        auto const range = readRange(m_with.ipus, words(QT_TRANSLATE_NOOP("views", "There is no IPU %1: IPUs are 0 to %2.")));
        if (!range) return;
        int const per = m_with.tilesPerIpu;
        skipSpace();
        if (!take(':')) return mark(range->first * per, (range->second + 1) * per - 1, away);
        skipSpace();
        if (atEnd() || !isDigit(peek())) return fail(words(QT_TRANSLATE_NOOP("views", "A tile or a range is missing after the colon.")));
        auto const inside = readRange(per, words(QT_TRANSLATE_NOOP("views", "There is no tile %1 on an IPU: they are 0 to %2.")));
        if (!inside) return;
        for (int i = range->first; i <= range->second; ++i) mark(i * per + inside->first, i * per + inside->second, away);
    }

    void compare(bool away)
    {
        int const at = m_at;
        QChar const sign = m_text[m_at++];
        bool const orEqual = sign == '=' || take('=');
        skipSpace();
        auto const size = readSize();
        if (!size) return;
        if (m_with.bytes.size() < static_cast<std::size_t>(m_tiles))
            return fail(words(QT_TRANSLATE_NOOP("views", "The bytes of the tiles are not known here.")), at);
        for (int t = 0; t < m_tiles; ++t) {
            auto const bytes = static_cast<double>(m_with.bytes[static_cast<std::size_t>(t)]);
            bool const fits = (orEqual && bytes == *size) || (sign == '<' && bytes < *size) || (sign == '>' && bytes > *size);
            if (fits) mark(t, t, away);
        }
    }

    std::optional<double> readSize()
    {
        int const at = m_at;
        QString number;
        while (!atEnd() && (isDigit(peek()) || peek() == '.')) number += m_text[m_at++];
        bool known = false;
        double const value = number.toDouble(&known);
        if (!known) {
            fail(words(QT_TRANSLATE_NOOP("views", "A size is missing, such as 600k or 90%.")), at);
            return std::nullopt;
        }
        skipSpace();
        if (take('%')) {
            if (m_with.limit > 0) return value / 100 * static_cast<double>(m_with.limit);
            fail(words(QT_TRANSLATE_NOOP("views", "The limit of a tile is not known, so a share of it cannot be taken.")), at);
            return std::nullopt;
        }
        int const unitAt = m_at;
        QString unit;
        while (!atEnd() && peek().isLetter()) unit += m_text[m_at++].toLower();
        if (unit.isEmpty() || unit == QLatin1String("b")) return value;
        if (unit == QLatin1String("k") || unit == QLatin1String("kib")) return value * 1024;
        if (unit == QLatin1String("m") || unit == QLatin1String("mib")) return value * 1024 * 1024;
        if (unit == QLatin1String("kb")) return value * 1000;
        if (unit == QLatin1String("mb")) return value * 1000 * 1000;
        fail(words(QT_TRANSLATE_NOOP("views", "\"%1\" is not a unit: write k, M, KiB, MiB, kB, MB or %.")).arg(unit), unitAt);
        return std::nullopt;
    }

    /// "7" or "7-12", both ends below `count`.
    std::optional<std::pair<int, int>> readRange(int count, QString const &outside)
    {
        auto const first = readNumber(count, outside);
        if (!first) return std::nullopt;
        int const back = m_at;
        skipSpace();
        if (!take('-')) {
            m_at = back;
            return std::pair(*first, *first);
        }
        skipSpace();
        if (atEnd() || !isDigit(peek())) {
            fail(words(QT_TRANSLATE_NOOP("views", "The end of the range is missing.")));
            return std::nullopt;
        }
        auto const last = readNumber(count, outside);
        if (!last) return std::nullopt;
        return std::minmax(*first, *last);
    }

    std::optional<int> readNumber(int count, QString const &outside)
    {
        int const at = m_at;
        QString digits;
        while (!atEnd() && isDigit(peek())) digits += m_text[m_at++];
        bool known = false;
        int const value = digits.toInt(&known);
        if (known && value < count) return value;
        fail(count > 0 ? outside.arg(digits).arg(count - 1) : words(QT_TRANSLATE_NOOP("views", "There are no tiles to choose from.")), at);
        return std::nullopt;
    }

    static bool isDigit(QChar c) { return c >= QLatin1Char('0') && c <= QLatin1Char('9'); } // only ASCII digits
    bool atEnd() const { return m_at >= m_text.size(); }
    QChar peek() const { return m_text[m_at]; }
    void skipSpace()
    {
        while (!atEnd() && peek().isSpace()) ++m_at;
    }
    bool take(char wanted)
    {
        skipSpace();
        if (atEnd() || peek() != QLatin1Char(wanted)) return false;
        ++m_at;
        return true;
    }
    QString rest() const { return m_text.mid(m_at, 20); }
    QString partText(int from) const
    {
        auto const end = m_text.indexOf(QLatin1Char(','), from);
        return m_text.mid(from, end < 0 ? -1 : end - from).trimmed().left(40);
    }
    void mark(int first, int last, bool away)
    {
        for (int t = std::max(0, first); t <= std::min(last, m_tiles - 1); ++t) m_chosen[static_cast<std::size_t>(t)] = !away;
    }
    void fail(QString const &why, int at = -1)
    {
        m_choice.error = why;
        m_choice.errorAt = at < 0 ? m_at : at;
    }

    QString m_text;
    TileWords m_with;
    int m_tiles, m_at = 0;
    bool m_any = false;
    std::vector<char> m_chosen;
    TileChoice m_choice;
};

} // namespace

TileChoice parseTiles(QString const &text, TileWords const &with) { return Reader(text, with).read(); }

QString tilesText(std::span<int const> tiles)
{
    QStringList parts;
    for (std::size_t i = 0; i < tiles.size();) {
        std::size_t end = i + 1;
        while (end < tiles.size() && tiles[end] == tiles[end - 1] + 1) ++end;
        if (end - i == 1) parts << QString::number(tiles[i]);
        else parts << QStringLiteral("%1-%2").arg(tiles[i]).arg(tiles[end - 1]);
        i = end;
    }
    return parts.join(QStringLiteral(", "));
}

QString tileName(int tile, int ipus, int tilesPerIpu)
{
    if (ipus < 2 || tilesPerIpu < 1) return QCoreApplication::translate("views", "tile %1").arg(tile);
    return QCoreApplication::translate("views", "tile %1 (IPU %2, %3)").arg(tile).arg(tile / tilesPerIpu).arg(tile % tilesPerIpu);
}

} // namespace tilewright::views
