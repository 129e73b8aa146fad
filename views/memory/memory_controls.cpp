#include "views/memory/memory_controls.h"

#include "views/common/flow_layout.h"
#include "views/common/format.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

/// A choice with its label, kept together when the row wraps.
QWidget *labelled(QString const &name, QWidget *control, QWidget *parent)
{
    auto *pair = new QWidget(parent);
    auto *row = new QHBoxLayout(pair);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGrid);
    auto *label = new QLabel(name, pair);
    label->setBuddy(control);
    label->setProperty("role", "secondary");
    row->addWidget(label);
    row->addWidget(control);
    control->setAccessibleName(name);
    return pair;
}

/// Keys that a control does not use (Return) are not commands of the view.
bool isLeftOver(QKeyEvent const &event) { return event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter; }

class Toggles : public QWidget {
public:
    using QWidget::QWidget;

protected:
    void keyPressEvent(QKeyEvent *event) override { event->setAccepted(isLeftOver(*event)); }
};

} // namespace

MemoryControls::MemoryControls(QWidget *parent) : QWidget(parent)
{
    auto *flow = new FlowLayout(this);
    m_tiles = new QLineEdit(this);
    m_tiles->setPlaceholderText(tr("0-63, ipu1, >600k, worst"));
    m_tiles->setClearButtonEnabled(true);
    m_tiles->setToolTip(
        tr("Tiles by text: 7 · 0-63 · ipu3 · ipu3:0-63 · >600k · >90% · worst · io · all. Commas add, a minus takes away."));
    flow->addWidget(labelled(tr("Tiles"), m_tiles, this));
    m_show = new QComboBox(this);
    for (auto const show : {MemoryShow::Whole, MemoryShow::AtStep, MemoryShow::Variables, MemoryShow::Received, MemoryShow::Sent})
        m_show->addItem(showName(show), static_cast<int>(show));
    flow->addWidget(labelled(tr("Show"), m_show, this));
    m_by = new QComboBox(this);
    for (int i = 0; i < kBreakdowns; ++i) m_by->addItem(toText(static_cast<Breakdown>(i)), i);
    flow->addWidget(labelled(tr("Broken down by"), m_by, this));
    m_order = new QComboBox(this);
    m_order->addItem(tr("by number"), static_cast<int>(TileOrder::Logical));
    m_order->addItem(tr("by place on the die"), static_cast<int>(TileOrder::Physical));
    m_order->addItem(tr("largest first"), static_cast<int>(TileOrder::Sorted));
    flow->addWidget(labelled(tr("Order"), m_order, this));
    m_scale = new QComboBox(this);
    m_scale->addItem(tr("linear"), static_cast<int>(ScaleKind::Linear));
    m_scale->addItem(tr("logarithmic"), static_cast<int>(ScaleKind::Logarithmic));
    m_scale->addItem(tr("share of the limit"), static_cast<int>(ScaleKind::ShareOfLimit));
    flow->addWidget(labelled(tr("Colours"), m_scale, this));
    m_ipu = new QComboBox(this);
    flow->addWidget(labelled(tr("IPUs"), m_ipu, this));
    m_toggles = new Toggles(this);
    auto *toggles = new QHBoxLayout(m_toggles);
    toggles->setContentsMargins(0, 0, 0, 0);
    toggles->setSpacing(kGrid);
    auto const toggle = [&](QString const &text, QString const &tip) {
        auto *button = new QToolButton(m_toggles);
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(text);
        button->setCheckable(true);
        button->setProperty("role", "word");
        toggles->addWidget(button);
        connect(button, &QToolButton::toggled, this, &MemoryControls::read);
        return button;
    };
    m_gaps = toggle(tr("Gaps"), {});
    connect(m_gaps, &QToolButton::clicked, this, &MemoryControls::setGapsChosen);
    setGaps(std::nullopt);
    m_limit = toggle(tr("Limit"), tr("Scale the profile so that the limit of a tile shows (L)"));
    m_compare = toggle(tr("Compare"), tr("Show differences to the report this one is compared with"));
    m_error = new QLabel(this);
    m_error->setProperty("role", "error");
    m_error->setWordWrap(true);
    m_error->hide();
    flow->addWidget(m_error);
    for (auto *box : {m_show, m_by, m_order, m_scale, m_ipu}) connect(box, &QComboBox::currentIndexChanged, this, &MemoryControls::read);
    connect(m_tiles, &QLineEdit::editingFinished, this, [this] {
        if (m_tiles->isModified()) emit tilesEntered(m_tiles->text());
        m_tiles->setModified(false);
    });
    connect(m_tiles, &QLineEdit::textChanged, this, [this](QString const &text) {
        if (text.isEmpty() && m_tiles->hasFocus()) emit tilesEntered(text); // the clear button
    });
    setIpus(1);
    setCompareAvailable(false, {});
    setOptions({});
}

void MemoryControls::setOptions(MemoryOptions const &options)
{
    m_quiet = true;
    m_options = options;
    auto const choose = [](QComboBox *box, int value) { box->setCurrentIndex(std::max(0, box->findData(value))); };
    choose(m_show, static_cast<int>(options.show));
    choose(m_by, static_cast<int>(options.by));
    choose(m_order, static_cast<int>(options.order));
    choose(m_scale, static_cast<int>(options.scale));
    choose(m_ipu, options.ipu);
    m_gaps->setChecked(options.gaps);
    m_limit->setChecked(options.limit);
    m_compare->setChecked(options.compare && m_compare->isEnabled());
    m_quiet = false;
    read();
}

QString MemoryControls::showName(MemoryShow show)
{
    switch (show) {
    case MemoryShow::Whole: return tr("the whole program");
    case MemoryShow::AtStep: return tr("what is live at the step");
    case MemoryShow::Variables: return tr("chosen variables");
    case MemoryShow::Received: return tr("bytes received");
    case MemoryShow::Sent: return tr("bytes sent");
    }
    return {};
}

void MemoryControls::setGaps(std::optional<Bytes> ofWorstTile)
{
    m_gaps->setText(ofWorstTile ? tr("Gaps (+%1)").arg(bytesText(*ofWorstTile)) : tr("Gaps"));
    QString const help = tr("On: the bytes placed, gaps included, which decide whether a tile fits. Off: the bytes used (G).");
    m_gaps->setToolTip(ofWorstTile ? tr("Gaps add %1 on the worst tile.").arg(bytesExact(*ofWorstTile)) + QLatin1Char('\n') + help : help);
}

void MemoryControls::setIpus(int ipus)
{
    if (m_ipu->count() == ipus + 1) return;
    QSignalBlocker const quiet(m_ipu);
    m_ipu->clear();
    m_ipu->addItem(tr("all"), -1);
    for (int i = 0; i < ipus; ++i) m_ipu->addItem(tr("IPU %1").arg(i), i);
    m_ipu->parentWidget()->setVisible(ipus > 1);
    m_options.ipu = -1;
}

void MemoryControls::setCompareAvailable(bool on, QString const &with)
{
    m_compare->setEnabled(on);
    m_compare->setToolTip(on ? tr("Show differences to %1").arg(with)
                             : tr("There is no other report to compare with: compile again, or choose one in the history."));
    if (!on) m_compare->setChecked(false);
    else if (std::exchange(m_wantsCompare, false)) m_compare->setChecked(true);
}

void MemoryControls::setTilesText(QString const &text)
{
    if (m_tiles->hasFocus() && m_tiles->isModified()) return;
    QSignalBlocker const quiet(m_tiles);
    m_tiles->setText(text);
    m_tiles->setCursorPosition(0);
}

void MemoryControls::setTilesError(QString const &error)
{
    m_error->setText(error);
    m_error->setVisible(!error.isEmpty());
    m_tiles->setAccessibleDescription(error);
}

void MemoryControls::focusTiles()
{
    m_tiles->setFocus();
    m_tiles->selectAll();
}

void MemoryControls::keyPressEvent(QKeyEvent *event) { event->setAccepted(isLeftOver(*event)); }

void MemoryControls::toggleGaps() { m_gaps->click(); }
void MemoryControls::toggleLimit() { m_limit->toggle(); }
void MemoryControls::nextOrder() { m_order->setCurrentIndex((m_order->currentIndex() + 1) % m_order->count()); }

void MemoryControls::read()
{
    if (m_quiet) return;
    MemoryOptions options;
    options.show = static_cast<MemoryShow>(m_show->currentData().toInt());
    options.by = static_cast<Breakdown>(m_by->currentData().toInt());
    options.order = static_cast<TileOrder>(m_order->currentData().toInt());
    options.scale = static_cast<ScaleKind>(m_scale->currentData().toInt());
    options.ipu = m_ipu->currentData().toInt();
    options.gaps = m_gaps->isChecked();
    options.limit = m_limit->isChecked();
    options.compare = m_compare->isChecked();
    bool const memory = options.show == MemoryShow::Whole || options.show == MemoryShow::AtStep;
    m_by->parentWidget()->setEnabled(memory && !options.compare);
    m_gaps->setEnabled(options.show == MemoryShow::Whole);
    m_limit->setEnabled(memory && !options.compare);
    if (options == m_options) return;
    m_options = options;
    emit optionsChanged();
}

} // namespace tilewright::views
