#include "views/help/help_style.h"

#include "views/common/theme.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

namespace tilewright::views {

namespace {

constexpr char16_t kArrow[] = u"\u00A0→"; // the arrow after a link, as in all views

void styleBlock(QTextBlock const &block)
{
    QTextCursor cursor(block);
    auto format = block.blockFormat();
    int const level = format.headingLevel();
    format.setLineHeight(130, QTextBlockFormat::ProportionalHeight);
    format.setTopMargin(level == 1 ? 0 : level > 0 ? 3 * kGrid : 0);
    format.setBottomMargin(block.textList() ? kGrid : 2 * kGrid);
    cursor.setBlockFormat(format);
    if (level == 0) return;
    cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
    auto font = uiFont(level == 1 ? TextSize::Headline : TextSize::Body);
    font.setBold(true);
    QTextCharFormat heading;
    heading.setFont(font);
    heading.setProperty(QTextFormat::FontSizeAdjustment, 0); // Markdown's size, in addition to the font's
    cursor.mergeCharFormat(heading);
}

QTextCursor cursorOver(QTextDocument &document, QTextFragment const &fragment)
{
    QTextCursor cursor(&document);
    cursor.setPosition(fragment.position());
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
    return cursor;
}

QList<QTextFragment> fragmentsOf(QTextBlock const &block)
{
    QList<QTextFragment> fragments;
    for (auto it = block.begin(); !it.atEnd(); ++it) fragments.append(it.fragment());
    return fragments;
}

/// `lastOfLink`: the arrow follows this fragment.
void styleFragment(QTextDocument &document, QTextFragment const &fragment, bool lastOfLink)
{
    auto const was = fragment.charFormat();
    QTextCharFormat now;
    if (was.isAnchor()) {
        now.setForeground(theme()[Token::Text]);
        now.setFontUnderline(false);
    } else if (was.fontFixedPitch()) {
        now.setFont(monoFont());
        now.setBackground(theme()[Token::Raised]);
    } else {
        return;
    }
    auto cursor = cursorOver(document, fragment);
    cursor.mergeCharFormat(now);
    if (!lastOfLink) return;
    auto arrow = was;
    arrow.setForeground(theme()[Token::SecondaryText]);
    arrow.setFontUnderline(false);
    cursor.clearSelection();
    cursor.insertText(QString::fromUtf16(kArrow), arrow);
}

} // namespace

void underlineLinks(QTextDocument &document, QString const &href)
{
    for (auto block = document.begin(); block.isValid(); block = block.next())
        for (auto const &fragment : fragmentsOf(block)) {
            auto const format = fragment.charFormat();
            bool const under = !href.isEmpty() && format.anchorHref() == href;
            if (!format.isAnchor() || format.fontUnderline() == under) continue;
            QTextCharFormat now;
            now.setFontUnderline(under);
            cursorOver(document, fragment).mergeCharFormat(now);
        }
}

void styleHelpDocument(QTextDocument &document)
{
    document.setDefaultFont(uiFont(TextSize::Body));
    document.setDocumentMargin(2 * kGap);
    document.setIndentWidth(2 * kGap);
    for (auto block = document.begin(); block.isValid(); block = block.next()) {
        styleBlock(block);
        auto const fragments = fragmentsOf(block);       // changes by the cursor would invalidate the iterator
        for (qsizetype i = fragments.size(); i-- > 0;) { // from the end, because arrows shift the following text
            auto const href = fragments[i].charFormat().anchorHref();
            bool const last = i + 1 == fragments.size() || fragments[i + 1].charFormat().anchorHref() != href;
            styleFragment(document, fragments[i], !href.isEmpty() && last);
        }
    }
    auto const frames = document.rootFrame()->childFrames();
    for (auto *frame : frames) {
        auto *table = qobject_cast<QTextTable *>(frame);
        if (!table) continue;
        auto format = table->format();
        format.setCellPadding(kGrid);
        format.setCellSpacing(0);
        format.setBorder(1);
        format.setBorderCollapse(true);
        format.setBorderBrush(theme()[Token::Border]);
        table->setFormat(format);
    }
}

} // namespace tilewright::views
