#include "views/config/machine_layout.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

int MachineGeometry::ipuAt(QPointF position) const
{
    for (std::size_t i = 0; i < ipus.size(); ++i)
        if (ipus[i].contains(position)) return static_cast<int>(i);
    return -1;
}

QLineF MachineGeometry::lineOf(Link const &link) const
{
    QRectF const a = ipus[static_cast<std::size_t>(link.from)], b = ipus[static_cast<std::size_t>(link.to)];
    QLineF const line(a.center(), b.center());
    // Leave both boxes by half their side along the line.
    double const length = line.length();
    if (length <= a.width()) return line;
    return {line.pointAt(a.width() / 2 / length), line.pointAt(1 - b.width() / 2 / length)};
}

MachineGeometry placeMachine(int ipus, int ipusPerBoard, double width, double cell, double gap)
{
    MachineGeometry out;
    int const perBoard = std::max(1, std::min(ipusPerBoard, ipus));
    int const columns = perBoard > 1 ? 2 : 1, rows = (perBoard + columns - 1) / columns;
    double const boardWidth = columns * cell + (columns + 1) * gap, boardHeight = rows * cell + (rows + 1) * gap;
    int const boards = (ipus + perBoard - 1) / perBoard;
    int const across = std::clamp(static_cast<int>((width + gap) / (boardWidth + gap)), 1, std::max(1, boards));
    for (int board = 0; board < boards; ++board)
        out.boards.emplace_back((board % across) * (boardWidth + gap), (board / across) * (boardHeight + gap), boardWidth, boardHeight);
    for (int ipu = 0; ipu < ipus; ++ipu) {
        QRectF const &board = out.boards[static_cast<std::size_t>(ipu / perBoard)];
        int const at = ipu % perBoard;
        out.ipus.emplace_back(board.left() + gap + (at % columns) * (cell + gap), board.top() + gap + (at / columns) * (cell + gap), cell,
                              cell);
    }
    for (int ipu = 0; ipu < ipus; ++ipu) {
        if (ipu % 2 == 0 && ipu + 1 < ipus) out.links.push_back({ipu, ipu + 1, true});
        if (ipu + 2 < ipus) out.links.push_back({ipu, ipu + 2, false});
    }
    int const shownAcross = std::min(across, boards);
    int const down = (boards + across - 1) / across;
    out.size = QSizeF(shownAcross * (boardWidth + gap) - gap, down * (boardHeight + gap) - gap);
    return out;
}

double cellThatFits(int ipus, int ipusPerBoard, QSizeF size, double gap, double least, double most)
{
    for (double cell = most; cell > least; cell -= 2) {
        auto const placed = placeMachine(ipus, ipusPerBoard, size.width(), cell, gap);
        if (placed.size.width() <= size.width() && placed.size.height() <= size.height()) return cell;
    }
    return least;
}

} // namespace tilewright::views
