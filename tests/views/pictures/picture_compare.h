#pragma once

#include <QImage>
#include <QRect>

namespace tilewright::tests {

/// Differences that a person would see between two pictures side by side.
struct PictureDifference {
    bool sizes = false; ///< they differ in size; nothing else was compared
    int pixels = 0;     ///< without a like one beside them in the other picture
    int worst = 0;      ///< most of them in one small square
    QRect where;        ///< that square
    QImage marked;      ///< the new picture, pale, with those pixels in red and that square framed
    bool seen() const;  ///< an element has come, gone or moved; edges that are smoothed otherwise are not seen
};

PictureDifference comparePictures(QImage const &kept, QImage const &drawn);

} // namespace tilewright::tests
