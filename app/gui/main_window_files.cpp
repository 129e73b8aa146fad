#include "app/gui/main_window.h"

#include "app/gui/figure.h"
#include "app/gui/message_bar.h"
#include "app/gui/model_picture.h"
#include "app/gui/modes.h"
#include "app/gui/settings.h"
#include "app/gui/workbench.h"
#include "app/view_list.h"
#include "engine/model/templates.h"
#include "views/common/export.h"
#include "views/common/short_text.h"
#include "views/diagnostics/diagnostic_text.h"
#include "views/diagnostics/console.h"
#include "views/document/document.h"
#include "views/document/unsaved_runs.h"
#include "views/jobs/job_runner.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/checkpoint_copies.h"
#include "views/session/file_kind.h"
#include "views/session/project_export.h"

#include <QApplication>
#include <QCursor>
#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QJsonDocument>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QTimer>
#include <QUndoStack>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

namespace tilewright::app {

void MainWindow::newProject(QString const &templateName)
{
    if (!mayClose()) return;
    if (templateName.isEmpty()) {
        auto project = project::fromTemplate(model::kEmptyTemplate);
        if (!project.ok()) return m_session->raiseError(project.error());
        project->title = tr("Untitled").toStdString();
        m_session->document().openProject(std::move(*project), {}, false);
        m_workbench->setMode(QStringLiteral("build"));
        return activateView(QStringLiteral("canvas"));
    }
    if (auto const status = m_session->document().openTemplate(templateName); !status.ok()) {
        m_session->raiseError(status.error());
        return;
    }
    m_workbench->setMode(QStringLiteral("build"));
    activateView(QStringLiteral("canvas"));
}

void MainWindow::open()
{
    QStringList patterns{QStringLiteral("*.tilewright"), QStringLiteral("*.twreport")};
    patterns += views::modelPatterns();
    QString const path = QFileDialog::getOpenFileName(this, tr("Open"), QFileInfo(m_session->document().path()).absolutePath(),
                                                      tr("Projects, reports, models (%1)").arg(patterns.join(QLatin1Char(' ')))
                                                          + QStringLiteral(";;") + tr("All files (*)"));
    if (!path.isEmpty()) openFiles({path});
}

void MainWindow::finishEditing()
{
    QPointer<QWidget> const field = QApplication::focusWidget();
    if (!field || !(field->inherits("QLineEdit") || field->inherits("QAbstractSpinBox"))) return;
    field->clearFocus();
    if (field) field->setFocus(Qt::OtherFocusReason);
}

bool MainWindow::save()
{
    finishEditing();
    auto &document = m_session->document();
    if (document.path().isEmpty()) return saveAs();
    return saved(document.path());
}

bool MainWindow::saveAs()
{
    finishEditing();
    auto &document = m_session->document();
    QString name = document.path();
    if (name.isEmpty()) name = QString::fromStdString(document.project().model.name) + QStringLiteral(".tilewright");
    QString path =
        QFileDialog::getSaveFileName(this, tr("Save project"), name, tr("Tilewright project (*.tilewright);;JSON twin (*.json)"));
    if (path.isEmpty()) return false;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".tilewright");
    return saveTo(path);
}

std::function<void(Status const &)> MainWindow::raiseErrors(std::function<void()> end)
{
    return [session = QPointer(m_session.get()), end = std::move(end)](Status const &status) {
        if (session && !status.ok() && status.error().kind != ErrorKind::Cancelled) session->raiseError(status.error());
        end();
    };
}

/// Begins what ends with a call of what it is given, and comes back with that; false: the program ends before. The window goes on
/// meanwhile, but for what a person does to it: keys and clicks wait, so that nobody works on a project that goes away or that is
/// just being written.
bool MainWindow::wait(std::function<void(std::function<void()>)> const &begin)
{
    QEventLoop loop;
    auto const ended = std::make_shared<bool>(false), slow = std::make_shared<bool>(false);
    bool const outer = std::exchange(m_waits, true);
    begin([ended, at = QPointer(&loop)] {
        *ended = true;
        if (at) at->quit();
    });
    QTimer::singleShot(300, &loop, [slow] {
        *slow = true;
        QApplication::setOverrideCursor(Qt::WaitCursor);
    });
    if (!*ended) loop.exec(QEventLoop::ExcludeUserInputEvents);
    if (*slow) QApplication::restoreOverrideCursor();
    m_waits = outer;
    if (!m_waits && !m_toOpen.isEmpty()) QMetaObject::invokeMethod(this, &MainWindow::openQueued, Qt::QueuedConnection);
    return *ended;
}

bool MainWindow::saved(QString const &path, views::Document::Overwrite overwrite)
{
    auto const status = std::make_shared<Status>();
    bool const ended = wait([&](std::function<void()> const &end) {
        m_session->document().save(
            path,
            [status, end](Status const &result) {
                *status = result;
                end();
            },
            overwrite);
    });
    if (!ended) return false;
    if (status->ok()) {
        m_session->console().add(1, QStringLiteral("edit"), tr("Saved: %1").arg(path));
        return true;
    }
    if (status->error().code != views::Document::kChangedElsewhere) {
        m_session->raiseError(status->error());
        return false;
    }
    QMessageBox box(QMessageBox::Warning, tr("Changed elsewhere"),
                    tr("%1 was changed by another program since it was opened here.").arg(QFileInfo(path).fileName()),
                    QMessageBox::NoButton, this);
    box.setInformativeText(tr("Overwrite replaces what the other program saved; “Save as …” keeps both."));
    auto *replace = box.addButton(tr("Overwrite"), QMessageBox::DestructiveRole);
    auto *another = box.addButton(tr("Save as …"), QMessageBox::AcceptRole);
    box.setDefaultButton(box.addButton(QMessageBox::Cancel));
    box.exec();
    if (box.clickedButton() == another) return saveAs();
    return box.clickedButton() == replace && saved(path, views::Document::Overwrite::Anything);
}

bool MainWindow::saveTo(QString const &path)
{
    auto &document = m_session->document();
    QString const before = document.path();
    if (!saved(path)) return false;
    bool const another = !before.isEmpty() && QFileInfo(before).canonicalFilePath() != QFileInfo(document.path()).canonicalFilePath();
    if (another && document.keepsRuns() && !before.endsWith(QLatin1String(".json"))) {
        // The runs are the project's: they, their reports and checkpoints go with it. Reports are linked, not copied, where that can
        // be; checkpoints are copied by a job.
        QString const from = QFileInfo(before).absoluteFilePath();
        auto const kept = std::make_shared<std::optional<Result<views::KeptRuns>>>();
        bool const ended = wait([&](std::function<void()> const &end) {
            m_session->jobs().compute<views::KeptRuns>(
                m_session.get(), views::JobKind::KeepRuns, {},
                [from, to = document.path(), folder = document.reportFolder()](JobContext const &) -> Result<views::KeptRuns> {
                    return views::carryRuns(from, to, folder);
                },
                [kept, end](Result<views::KeptRuns> runs) {
                    *kept = std::move(runs);
                    end();
                });
        });
        if (!ended) return true; // the program ends; the job is done all the same
        views::CheckpointCopies::of(*m_session).copy(from, document.path());
        if ((*kept)->ok()) {
            auto const &runs = ***kept;
            if (auto const notes = views::renumbered(document.project().notes, runs.ids); notes != document.project().notes) {
                document.setNotes(notes);
                saved(path);
            }
            for (auto const &problem : runs.problems) m_session->raiseError(problem);
        } else {
            m_session->raiseError((*kept)->error());
        }
    }
    settings::addRecent(path);
    keepPicture(document.project(), path);
    fillRecentMenu();
    m_session->reloadRuns();
    return true;
}

bool MainWindow::mayClose()
{
    finishEditing();
    auto &runs = m_session->runs();
    if (runs.isActive()) {
        QMessageBox box(QMessageBox::Question, tr("A run is in progress"),
                        tr("The run can stop after this step and keep its checkpoint and report, or continue in a separate process."),
                        QMessageBox::NoButton, this);
        auto *stop = box.addButton(tr("Stop the run"), QMessageBox::AcceptRole);
        auto *detach = box.addButton(tr("Continue detached"), QMessageBox::ActionRole);
        box.addButton(QMessageBox::Cancel);
        box.exec();
        if (box.clickedButton() == stop) {
            runs.stopAfterStep();
        } else if (box.clickedButton() == detach) {
            if (QString const why = runs.detach(); !why.isEmpty()) {
                m_messages->show(MessageBar::Warning, why, {}, {}, {});
                return false;
            }
        } else {
            return false;
        }
        // What is trained is written by the run's end, which comes through the event loop.
        QEventLoop loop;
        connect(&runs, &views::RunController::finished, &loop, &QEventLoop::quit);
        if (runs.isActive()) loop.exec(QEventLoop::ExcludeUserInputEvents);
        // Told here: the project that comes next takes such messages away.
        if (auto const &unkept = runs.live().unkept; !unkept.empty()) {
            QMessageBox told(QMessageBox::Warning, tr("The weights are not in the project"), views::diagnosticSentences(unkept.front()),
                             QMessageBox::Ok | QMessageBox::Cancel, this);
            told.setTextInteractionFlags(Qt::TextSelectableByMouse);
            if (told.exec() != QMessageBox::Ok) return false;
        }
    }
    auto &document = m_session->document();
    int const runsMade = document.path().isEmpty() ? document.runsWithResults() : 0;
    if (!document.isModified() && runsMade == 0) return true;
    QMessageBox box(QMessageBox::Question, tr("Save changes?"), tr("%1 has changes that are not saved.").arg(document.title()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setDefaultButton(QMessageBox::Save);
    if (runsMade > 0)
        box.setInformativeText(tr("It was never saved: Discard also deletes its %n run(s), with reports and weights.", nullptr, runsMade));
    switch (box.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard:
        document.discardRecovery(document.path());
        if (runsMade > 0) m_session->discardUnsavedRuns();
        return true;
    default: return false;
    }
}

bool MainWindow::mayReplace()
{
    // The file may have taken long to read: the question has its own pointer.
    auto const *cursor = QApplication::overrideCursor();
    auto const shape = cursor ? std::optional(cursor->shape()) : std::nullopt;
    if (shape) QApplication::restoreOverrideCursor();
    m_keptProject = !mayClose();
    if (shape) QApplication::setOverrideCursor(*shape);
    return !m_keptProject;
}

void MainWindow::offerData(QString const &path, QString const &format)
{
    QString const name = QFileInfo(path).fileName();
    m_messages->show(MessageBar::Note, tr("%1 holds data (%2).").arg(name, format), tr("The project is unchanged."), tr("Use as data"),
                     [this, path, format] {
                         if (auto const status = m_session->useAsData(path, format); !status.ok()) m_session->raiseError(status.error());
                     });
}

void MainWindow::exportView()
{
    auto *view = currentView();
    if (!view) return;
    QString path = QFileDialog::getSaveFileName(this, tr("Export %1").arg(view->windowTitle()), view->id() + QStringLiteral(".png"),
                                                tr("Picture (*.png);;Vector picture (*.svg);;PDF (*.pdf);;Table (*.csv)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".png");
    QString why;
    if (path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) {
        why = views::saveText(views::toCsv(view->exportTables()), path);
    } else {
        // A second one of the same, so that what is worked with stays as it is.
        auto const list = viewList();
        auto const descriptor = std::ranges::find_if(list, [&](auto const &one) { return view->id() == QLatin1String(one.id); });
        auto const figure = unseenView(*descriptor, *m_session, view->saveState(), view->size());
        turnIntoFigure(*figure, QCoreApplication::translate("views", descriptor->title), true);
        why = views::saveWidgetPicture(*figure, path, devicePixelRatioF());
    }
    if (!why.isEmpty()) m_messages->show(MessageBar::Error, why, {}, {}, {});
    else m_messages->show(MessageBar::Note, tr("Written: %1").arg(path), {}, {}, {});
}

void MainWindow::stepBack(bool undo)
{
    auto &stack = m_session->document().undoStack();
    QString const what = undo ? stack.undoText() : stack.redoText();
    if (undo ? !stack.canUndo() : !stack.canRedo()) return;
    if (undo) stack.undo();
    else stack.redo();
    m_session->console().add(1, QStringLiteral("edit"), (undo ? tr("Undone: %1") : tr("Done again: %1")).arg(what));
}

void MainWindow::exportModel()
{
    finishEditing();
    auto const &document = m_session->document();
    QString const json = tr("Model, as Keras writes it (*.json)"), weights = tr("Trained weights (*.npz)");
    QString chosen;
    QString path = QFileDialog::getSaveFileName(this, tr("Export the model"), QFileInfo(document.title()).completeBaseName(),
                                                json + QStringLiteral(";;") + weights, &chosen);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += chosen == weights ? QStringLiteral(".npz") : QStringLiteral(".json");
    views::exportModel(*m_session, path, [this, path](Status const &status) {
        if (!status.ok()) m_session->raiseError(status.error());
        else m_messages->show(MessageBar::Note, tr("Written: %1").arg(path), {}, {}, {});
    });
}

void MainWindow::offerRecovery()
{
    auto &document = m_session->document();
    if (!document.isRecoverable()) return;
    QString const when = views::whenText(views::Document::recoveryTime(document.path()));
    m_messages->ask(tr("Tilewright found unsaved changes to “%1” of %2.").arg(document.title(), when), tr("Recover"),
                    [this, path = document.path()] {
                        if (!mayClose()) { // what was done since
                            offerRecovery();
                            return;
                        }
                        wait([&](std::function<void()> const &end) { m_session->document().recover(path, raiseErrors(end)); });
                    });
}

void MainWindow::applyLayout(QString const &name)
{
    if (findMode(name)) {
        m_workbench->setMode(name);
        if (!m_shown) showWorkbench(true);
        return;
    }
    auto const saved = QJsonDocument::fromJson(settings::bytes(QStringLiteral("layouts/") + name)).object();
    if (!saved.isEmpty())
        m_workbench->apply(saved.value(QStringLiteral("mode")).toString(), saved.value(QStringLiteral("arrangement")).toObject());
}

QStringList MainWindow::layoutNames() const
{
    QStringList names;
    for (auto const &mode : modes()) names << QLatin1String(mode.id);
    for (auto const &name : settings::keysBelow(QStringLiteral("layouts")))
        if (!names.contains(name)) names << name;
    return names;
}

QString MainWindow::layoutName() const { return m_workbench->mode(); }

void MainWindow::saveLayoutAs()
{
    bool ok = false;
    QString const name =
        QInputDialog::getText(this, tr("Save arrangement"), tr("Name of the arrangement:"), QLineEdit::Normal, {}, &ok).trimmed();
    if (!ok || name.isEmpty() || name.contains(QLatin1Char('/')) || findMode(name)) return;
    QJsonObject const saved{{QStringLiteral("mode"), m_workbench->mode()}, {QStringLiteral("arrangement"), m_workbench->arrangement()}};
    settings::setBytes(QStringLiteral("layouts/") + name, QJsonDocument(saved).toJson(QJsonDocument::Compact));
}

void MainWindow::saveWindow()
{
    keepPicture(m_session->document().project(), m_session->document().path());
    if (m_safe) return;
    settings::setBytes(QStringLiteral("window/geometry"), saveGeometry());
    settings::setBytes(QStringLiteral("window/workbench"), QJsonDocument(m_workbench->save()).toJson(QJsonDocument::Compact));
}

void MainWindow::restoreWindow()
{
    QSize const room = screen() ? screen()->availableSize() : QSize(1280, 800);
    resize(std::min(1440, room.width() - 40), std::min(900, room.height() - 60));
    if (m_safe) return;
    restoreGeometry(settings::bytes(QStringLiteral("window/geometry")));
    m_workbench->restore(QJsonDocument::fromJson(settings::bytes(QStringLiteral("window/workbench"))).object());
}

} // namespace tilewright::app
