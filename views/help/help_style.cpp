#include "views/help/help_style.h"

#include "views/common/theme.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextTable>

namespace tilewright::views {

namespace {

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
    heading.setProperty(QTextFormat::FontSizeAdjustment, 0); // Markdown's own, on top of the font's
    cursor.mergeCharFormat(heading);
}

void styleFragment(QTextDocument &document, QTextFragment const &fragment)
{
    auto const was = fragment.charFormat();
    QTextCharFormat now;
    if (was.isAnchor()) {
        now.setForeground(theme()[Token::Accent]);
        now.setFontUnderline(true);
    } else if (was.fontFixedPitch()) {
        now.setFont(monoFont());
        now.setBackground(theme()[Token::Raised]);
    } else {
        return;
    }
    QTextCursor cursor(&document);
    cursor.setPosition(fragment.position());
    cursor.setPosition(fragment.position() + fragment.length(), QTextCursor::KeepAnchor);
    cursor.mergeCharFormat(now);
}

} // namespace

void styleHelpDocument(QTextDocument &document)
{
    document.setDefaultFont(uiFont(TextSize::Body));
    document.setDocumentMargin(2 * kGap);
    document.setIndentWidth(2 * kGap);
    for (auto block = document.begin(); block.isValid(); block = block.next()) {
        styleBlock(block);
        QList<QTextFragment> fragments; // the cursor's changes would disturb the iterator
        for (auto it = block.begin(); !it.atEnd(); ++it) fragments.append(it.fragment());
        for (auto const &fragment : fragments) styleFragment(document, fragment);
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
