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
#include "views/session/checkpoint_copies.h"
#include "views/session/document.h"
#include "views/session/run_controller.h"
#include "views/session/unsaved_runs.h"

#include <QApplication>
#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QJsonDocument>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>

#include <algorithm>

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
    QString const path = QFileDialog::getOpenFileName(this, tr("Open"), QFileInfo(m_session->document().path()).absolutePath(),
                                                      tr("Projects, reports, models (*.tilewright *.twreport *.json);;All files (*)"));
    if (!path.isEmpty()) openFiles({path});
}

bool MainWindow::save()
{
    auto &document = m_session->document();
    if (document.path().isEmpty()) return saveAs();
    if (auto const status = document.save(document.path()); !status.ok()) {
        m_session->raiseError(status.error());
        return false;
    }
    return true;
}

bool MainWindow::saveAs()
{
    auto &document = m_session->document();
    QString name = document.path();
    if (name.isEmpty()) name = QString::fromStdString(document.project().model.name) + QStringLiteral(".tilewright");
    QString path = QFileDialog::getSaveFileName(this, tr("Save project"), name, tr("Tilewright project (*.tilewright);;JSON twin (*.json)"));
    if (path.isEmpty()) return false;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".tilewright");
    return saveTo(path);
}

bool MainWindow::saveTo(QString const &path)
{
    auto &document = m_session->document();
    QString const before = document.path();
    if (auto const status = document.save(path); !status.ok()) {
        m_session->raiseError(status.error());
        return false;
    }
    bool const another = !before.isEmpty() && QFileInfo(before).canonicalFilePath() != QFileInfo(document.path()).canonicalFilePath();
    if (another && document.keepsHistory() && !before.endsWith(QLatin1String(".json"))) {
        // The runs are the project's: they, their reports and checkpoints go with it. Reports are linked, not copied, where that can
        // be; checkpoints are copied by a job.
        QString const from = QFileInfo(before).absoluteFilePath();
        auto const kept = views::carryHistory(from, document.path(), m_session->reportFolder());
        views::CheckpointCopies::of(*m_session).copy(from, document.path());
        if (auto const notes = views::renumbered(document.project().notes, kept.ids); notes != document.project().notes) {
            document.setNotes(notes);
            if (auto const status = document.save(path); !status.ok()) m_session->raiseError(status.error());
        }
        for (auto const &problem : kept.problems) m_session->raiseError(problem);
    }
    settings::addRecent(path);
    keepPicture(document.project(), path);
    fillRecentMenu();
    m_session->reloadHistory();
    return true;
}

bool MainWindow::mayClose()
{
    auto &runs = m_session->runs();
    if (runs.isActive()) {
        QMessageBox box(QMessageBox::Question, tr("A run is in progress"),
                        tr("The run can be stopped after this step, keeping its checkpoint and report, or go on in a process of its own."), QMessageBox::NoButton, this);
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
    }
    auto &document = m_session->document();
    int const runsMade = document.path().isEmpty() ? static_cast<int>(document.unsavedRuns().size()) : 0;
    if (!document.isModified() && runsMade == 0) return true;
    QMessageBox box(QMessageBox::Question, tr("Save changes?"), tr("%1 has changes that are not saved.").arg(document.title()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box.setDefaultButton(QMessageBox::Save);
    if (runsMade > 0) box.setInformativeText(tr("It was never saved: Discard also deletes its %n run(s), with reports and weights.", nullptr, runsMade));
    switch (box.exec()) {
    case QMessageBox::Save: return save();
    case QMessageBox::Discard:
        document.discardRecovery(document.path());
        if (runsMade > 0) m_session->discardUnsavedRuns();
        return true;
    default: return false;
    }
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

void MainWindow::offerRecovery(QString const &path)
{
    if (!views::Document::hasRecovery(path)) return;
    m_messages->show(MessageBar::Warning, tr("Changes that were not saved before the last end were found."), {}, tr("Recover"), [this, path] {
        if (auto const status = m_session->document().recover(path); !status.ok()) m_session->raiseError(status.error());
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
    if (!saved.isEmpty()) m_workbench->apply(saved.value(QStringLiteral("mode")).toString(), saved.value(QStringLiteral("arrangement")).toObject());
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
    QString const name = QInputDialog::getText(this, tr("Save arrangement"), tr("Name of the arrangement:"), QLineEdit::Normal, {}, &ok).trimmed();
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
