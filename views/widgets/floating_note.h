#pragma once

class QWidget;

namespace tilewright::views {

/// Keeps `note` over the lower edge of `host`, as wide as it: showing and hiding it moves nothing. The note grows upwards with its
/// text. `note` becomes a child of `host`.
void floatOverBottom(QWidget *note, QWidget *host);

} // namespace tilewright::views
