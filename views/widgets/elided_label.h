#pragma once

#include "views/common/theme.h"

#include <QLabel>
#include <QStringList>

namespace tilewright::views {

/// A name, on one line if there is space. With setBreaks() a longer one continues on the next line after an underscore, a dot or a blank;
/// otherwise, and if a single part is too wide, its middle is cut. The tooltip has the whole text.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QString const &text = {}, QWidget *parent = nullptr) : QLabel(text, parent) { setTextFormat(Qt::PlainText); }
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;
    bool hasHeightForWidth() const override { return m_breaks; }
    int heightForWidth(int width) const override;
    void setBreaks();
    void setToken(Token token);
    /// Width of the whole text.
    int wholeWidth() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QStringList lines(int width) const;
    Token m_token = Token::Text;
    bool m_breaks = false;
};

} // namespace tilewright::views
