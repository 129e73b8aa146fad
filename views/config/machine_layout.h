#pragma once

#include "views/advice/system_layout.h"

#include <QLineF>
#include <QRectF>
#include <QSizeF>

#include <vector>

namespace tilewright::views {

/// Positions of boards, IPUs and links: a ladder of pairs, cut into boards, with rows of boards that fill the width.
struct MachineGeometry {
    std::vector<QRectF> boards;
    std::vector<QRectF> ipus;
    struct Link {
        int from = 0, to = 0;
        bool inPair = false;
    };
    std::vector<Link> links; ///< rungs inside pairs, rails between them; as in the compiler
    QSizeF size;

    int ipuAt(QPointF position) const;     ///< -1: none
    QLineF lineOf(Link const &link) const; ///< between the nearest edges
};
/// `cell`: side of an IPU's box.
MachineGeometry placeMachine(int ipus, int ipusPerBoard, double width, double cell, double gap);
/// The largest cell with which the machine fits into `size`, between `least` and `most`.
double cellThatFits(int ipus, int ipusPerBoard, QSizeF size, double gap, double least, double most);

} // namespace tilewright::views
