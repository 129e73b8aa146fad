#include "app/gui/palette_entry.h"

#include <QStringList>

#include <algorithm>

namespace tilewright::app {

namespace {

// A class of matches outranks all lower ones, whatever the lengths of the texts.
constexpr int kWholeText = 7000, kActs = 600, kWholeWord = 5000, kWordStart = 4000, kActsWord = 4700, kFurtherWord = 3000, kInside = 2000,
              kFurtherStart = 1500, kLetters = 100;

bool startsWord(QString const &text, qsizetype at) { return at == 0 || !text[at - 1].isLetterOrNumber(); }
bool endsWord(QString const &text, qsizetype end) { return end == text.size() || !text[end].isLetterOrNumber(); }

/// The best class of a match of `word` in `text`: a whole word, the beginning of one, a part of one; 0: it does not occur.
int occurrence(QString const &word, QString const &text, int whole, int start, int inside)
{
    int best = 0;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        bool const begins = startsWord(text, at);
        best = std::max(best, begins && endsWord(text, at + word.size()) ? whole : begins ? start : inside);
    }
    return best;
}

/// Letters of `word` in this order: neighbours and beginnings of words count more. 0: they do not occur.
int lettersScore(QString const &word, QString const &text)
{
    int score = kLetters;
    qsizetype at = -1;
    for (QChar const c : word) {
        qsizetype const next = text.indexOf(c, at + 1);
        if (next < 0) return 0;
        score += (next == at + 1 ? 10 : 0) + (startsWord(text, next) ? 15 : 0);
        at = next;
    }
    return score;
}

} // namespace

int matchScore(QString const &query, PaletteEntry const &entry)
{
    QString const text = entry.text.toCaseFolded(), further = entry.words.toCaseFolded();
    QStringList const words = query.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    int score = 1;
    bool whole = true; // all words of the query
    for (auto const &word : words) {
        int best = occurrence(word, text, kWholeWord, kWordStart, kInside);
        best = std::max(best, occurrence(word, further, entry.acts ? kActsWord : kFurtherWord, kFurtherStart, 0));
        whole = whole && best >= kActsWord;
        if (best == 0) best = lettersScore(word, text);
        if (best == 0) return 0;
        score += best;
    }
    if (words.isEmpty()) return score;
    score /= static_cast<int>(words.size());
    if (text == words.join(QLatin1Char(' '))) score = kWholeText;
    else if (text.startsWith(words.front())) score += 250;
    if (entry.acts && whole && score < kWholeText) score += kActs;
    return std::max(1, score - static_cast<int>(std::min<qsizetype>(text.size(), 90)));
}

} // namespace tilewright::app
