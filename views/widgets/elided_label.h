#pragma once

#include "views/common/theme.h"

#include <QLabel>

namespace tilewright::views {

/// One line that is cut in the middle if there is no space; the tooltip has the whole text.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QString const &text = {}, QWidget *parent = nullptr) : QLabel(text, parent) { setTextFormat(Qt::PlainText); }
    QSize minimumSizeHint() const override;
    void setToken(Token token);
    /// Width of the whole text.
    int wholeWidth() const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    Token m_token = Token::Text;
};

} // namespace tilewright::views
