#include "app/gui/completion_sheet.h"

#include "engine/interop/completion.h"
#include "engine/model/layer_spec.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/session/session.h"

#include <QBoxLayout>
#include <QCompleter>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include <algorithm>

namespace tilewright::app {

namespace {

QString q(std::string const &text) { return QString::fromStdString(text); }

/// "28 × ? × 3": of one sample.
QString sampleText(Shape const &shape)
{
    QStringList extents;
    for (std::size_t i = 1; i < shape.size(); ++i) extents << (shape[i] < 0 ? QStringLiteral("?") : QString::number(shape[i]));
    return extents.isEmpty() ? QStringLiteral("1") : extents.join(QStringLiteral(" × "));
}

/// The extents of one sample as a person writes them.
QString extentsText(Shape const &shape)
{
    QStringList extents;
    for (std::size_t i = 1; i < shape.size(); ++i) extents << QString::number(shape[i]);
    return extents.join(QStringLiteral(", "));
}

QString weightsText(std::vector<model::PlaceholderWeight> const &weights)
{
    QStringList parts;
    for (auto const &weight : weights) parts << QStringLiteral("%1 %2").arg(q(weight.name), q(toText(weight.shape)));
    return parts.join(QStringLiteral(", "));
}

QLabel *wrapped(QString const &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setWordWrap(true);
    return label;
}

} // namespace

CompletionSheet::CompletionSheet(views::Session &session, views::OpenParts parts, std::function<bool()> mayReplace, QWidget *parent)
    : QDialog(parent), m_session(session), m_parts(std::move(parts)), m_mayReplace(std::move(mayReplace))
{
    setWindowTitle(tr("Complete the model"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto *column = new QVBoxLayout(this);
    QString const name = QFileInfo(m_parts.path).fileName();
    column->addWidget(
        wrapped(m_parts.refused ? tr("%1 does not say all sizes of its inputs. The model opens when they are given.").arg(name)
                                : tr("%1 leaves parts of the model open. A layer without an answer stays as a placeholder: it is shown and "
                                     "exported unchanged, but the model cannot be compiled.")
                                      .arg(name),
                this));
    auto *area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *inside = new QWidget(area);
    auto *places = new QVBoxLayout(inside);
    places->setContentsMargins(0, 0, 0, 0);
    addPlaces(*places);
    places->addStretch(1);
    area->setWidget(inside);
    column->addWidget(area, 1);
    m_problem = wrapped({}, this);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    column->addWidget(m_problem);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    for (auto *button : buttons->buttons()) button->setIcon({});
    m_apply = buttons->button(QDialogButtonBox::Ok);
    m_apply->setText(tr("Complete"));
    connect(buttons, &QDialogButtonBox::accepted, this, &CompletionSheet::apply);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    int const wanted = inside->sizeHint().height() + sizeHint().height() - area->sizeHint().height();
    resize(fontMetrics().averageCharWidth() * 80, std::min(fontMetrics().height() * 34, wanted + fontMetrics().height() * 2));
    if (!m_fields.isEmpty()) m_fields.front().line->setFocus();
}

void CompletionSheet::addPlaces(QBoxLayout &column)
{
    using Kind = interop::OpenPlace::Kind;
    for (auto const &place : m_parts.places) {
        auto *group =
            new QGroupBox(place.className.empty() ? q(place.name) : QStringLiteral("%1 (%2)").arg(q(place.name), q(place.className)),
                          column.parentWidget());
        auto *form = new QFormLayout(group);
        form->setRowWrapPolicy(QFormLayout::WrapLongRows);
        if (place.kind == Kind::Size) {
            if (!place.output.empty())
                form->addRow(wrapped(tr("One sample is %1; the file leaves ? open.").arg(sampleText(place.output)), group));
            addField(group, Question::Size, q(place.name),
                     place.axes > 1 ? tr("Sizes of its %1 open axes:").arg(place.axes) : tr("Size of its open axis:"),
                     place.axes > 1 ? QStringLiteral("224, 224") : QStringLiteral("80"));
        } else {
            QStringList facts;
            if (!place.input.empty()) facts << tr("It receives samples of %1.").arg(sampleText(place.input));
            if (!place.weights.empty()) facts << tr("The file keeps its weights: %1.").arg(weightsText(place.weights));
            if (!facts.isEmpty()) form->addRow(wrapped(facts.join(QLatin1Char(' ')), group));
            auto *shape = addField(group, Question::Shape, q(place.name), tr("Output shape of one sample:"),
                                   place.input.empty() ? QStringLiteral("28, 28, 3") : extentsText(place.input));
            shape->setText(extentsText(place.output));
            shape->setModified(false);
            auto *other =
                addField(group, Question::Replacement, q(place.name), tr("Replace it by:"), QStringLiteral("ReLU{\"max_value\": 6}"));
            QStringList classes;
            for (auto const &spec : model::builtinLayers()) classes << q(spec.className);
            auto *completer = new QCompleter(classes, other);
            completer->setCaseSensitivity(Qt::CaseInsensitive);
            other->setCompleter(completer);
            other->setToolTip(
                tr("A layer class of Tilewright, with its arguments as JSON; Lambda{\"expression\": \"x * 2\"} computes each element."));
        }
        column.addWidget(group);
    }
}

QLineEdit *CompletionSheet::addField(QWidget *group, Question question, QString const &place, QString const &label, QString const &example)
{
    auto *line = new QLineEdit(group);
    line->setPlaceholderText(example);
    line->setAccessibleName(QStringLiteral("%1, %2").arg(place, label));
    static_cast<QFormLayout *>(group->layout())->addRow(label, line);
    m_fields.push_back({question, place, line});
    return line;
}

void CompletionSheet::refuse(Diagnostic const &problem)
{
    m_problem->setText(views::diagnosticSentences(problem));
    m_problem->show();
    m_apply->setEnabled(true);
}

void CompletionSheet::apply()
{
    interop::Completion answers;
    for (auto const &field : m_fields) {
        auto text = field.line->text().trimmed();
        if (text.isEmpty() || (field.question == Question::Shape && !field.line->isModified())) continue;
        if (field.question != Question::Replacement) text.remove(QLatin1Char(' '));
        if (field.question == Question::Shape && !text.startsWith(QLatin1Char('['))) text = QStringLiteral("[%1]").arg(text);
        auto const answer = QStringLiteral("%1=%2").arg(field.place, text).toStdString();
        auto const take = [&](auto &list, auto parsed) {
            if (parsed.ok()) list.push_back(std::move(*parsed));
            else refuse(parsed.error());
            return parsed.ok();
        };
        bool const good = field.question == Question::Size ? take(answers.sizes, interop::sizeFromText(answer))
            : field.question == Question::Shape            ? take(answers.shapes, interop::shapeFromText(answer))
                                                           : take(answers.replacements, interop::replacementFromText(answer));
        if (!good) return field.line->setFocus();
    }
    m_apply->setEnabled(false);
    views::completeModel(m_session, m_parts.path, std::move(answers), m_mayReplace, [sheet = QPointer(this)](Status const &status) {
        if (!sheet) return;
        if (status.ok()) sheet->accept();
        else if (status.error().kind != ErrorKind::Cancelled) sheet->refuse(status.error());
        else sheet->m_apply->setEnabled(true); // the open project is to stay
    });
}

} // namespace tilewright::app
