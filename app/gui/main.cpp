#include "app/gui/main_window.h"
#include "app/gui/render.h"
#include "app/gui/settings.h"
#include "app/gui/single_instance.h"
#include "engine/core/internal_error.h"
#include "engine/core/limits.h"
#include "engine/core/process.h"
#include "resources/resources.h"
#include "translations/translations.h"
#include "views/advice/problem_log.h"
#include "views/common/platform_messages.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QFileInfo>
#include <QSocketNotifier>
#include <QTimer>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <optional>
#include <sys/signalfd.h>
#include <unistd.h>

namespace {

constexpr char kUsage[] = "Usage: tilewright-gui [FILE…] [--theme light|dark|contrast] [--language CODE] [--safe]\n"
                          "                      [--new-instance] [--new-project] [--open-last] [--limit NAME=VALUE]\n"
                          "       tilewright-gui render FILE --view NAME --out OUT.png|svg|pdf|csv [--size WxH] [--theme light|dark]\n"
                          "\n"
                          "  FILE            a project (.tilewright or its JSON twin), a report (.twreport) or a Keras model (JSON)\n"
                          "  --new-project   shows the list of templates\n"
                          "  --open-last     opens the last project\n"
                          "  --safe          ignores saved layouts\n"
                          "  --new-instance  opens another window even if the workbench is running\n"
                          "  --limit N=V     limit on the content of a file; `tilewright --help` lists them\n";

bool jsonErrors = false;

/// Qt aborts when no window can be opened; people and scripts get a sentence and an exit code. In force only while
/// the application is made.
void refuseWithoutDisplay(QtMsgType type, QMessageLogContext const &, QString const &message)
{
    if (type == QtFatalMsg) {
        constexpr char kMessage[] = "there is no display to open windows on.";
        constexpr char kRemedy[] = "Set DISPLAY or WAYLAND_DISPLAY to one that runs; `tilewright render` and the other commands need none.";
        if (jsonErrors)
            std::printf("{\"error\":{\"code\":\"gui.no-display\",\"subject\":\"display\",\"message\":\"%s\",\"remedy\":\"%s\"}}\n",
                        kMessage, kRemedy);
        else std::fprintf(stderr, "tilewright: error: display: %s %s\n", kMessage, kRemedy);
        std::fflush(nullptr);
        std::_Exit(2);
    }
    if (tilewright::views::isPlatformChatter(message)) return;
    // What Qt says before that, of plugins it tried, says the same in other words.
    if (type == QtDebugMsg || type == QtInfoMsg || message.startsWith(QLatin1String("QStandardPaths: XDG_RUNTIME_DIR"))
        || message.contains(QLatin1String("display")) || message.contains(QLatin1String("platform plugin")))
        return;
    std::fprintf(stderr, "%s\n", qPrintable(message));
}

/// Host kernels keep their stack in a heap buffer, where no signal handler may run: signals are blocked in every thread
/// and read here, as events.
int blockSignals()
{
    sigset_t set;
    sigemptyset(&set);
    for (int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    return signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
}

/// An exception in the window itself (no memory, a failed internal check) ends what it was doing and is told; what is open stays open.
class Application final : public QApplication {
public:
    using QApplication::QApplication;
    std::function<void(tilewright::Diagnostic const &)> onFailure; ///< empty: exceptions pass

    bool notify(QObject *receiver, QEvent *event) override
    {
        try {
            return QApplication::notify(receiver, event);
        } catch (std::exception const &) {
            if (!onFailure) throw;
            onFailure(tilewright::currentException("window", tilewright::Message::of("the window's request")));
            return true;
        }
    }
};

} // namespace

int main(int argc, char **argv)
{
    using namespace tilewright;
    prepareProcess();
    bool const draws = argc > 1 && (std::string(argv[1]) == "render" || std::string(argv[1]).starts_with("--render"));
    int const signals_ = draws ? -1 : blockSignals(); // a drawing runs no kernels: whoever wants it to end ends it
    for (int i = 1; i < argc; ++i) {
        std::string const word = argv[i];
        if (word == "--help" || word == "-h") {
            std::fputs(kUsage, stdout);
            return 0;
        }
        if (word == "--json") jsonErrors = true;
    }
    QApplication::setApplicationName(QStringLiteral("tilewright"));
    QApplication::setOrganizationName(QStringLiteral("tilewright"));
    QApplication::setApplicationDisplayName(QStringLiteral("Tilewright"));
    QApplication::setDesktopFileName(QStringLiteral("io.github.tilewright.Tilewright"));
    if (draws) qputenv("QT_QPA_PLATFORM", "offscreen"); // a figure needs no display, whatever windows are opened on
    qInstallMessageHandler(refuseWithoutDisplay);
    Application application(argc, argv);
    qInstallMessageHandler(nullptr);
    // Qt has set the desktop's locale: libraries that read numbers with functions of C would take 0.3 for 0 under German rules.
    std::setlocale(LC_NUMERIC, "C");
    views::dropPlatformChatter();
    initResources();
    QStringList arguments = QApplication::arguments().mid(1);
    if (draws) {
        installTranslation(application, QStringLiteral("en_US")); // plural forms; figures are in English wherever they are made
        if (arguments.first() == QLatin1String("render")) arguments.removeFirst();
        std::optional<Diagnostic> failed;
        application.onFailure = [&failed](Diagnostic const &what) {
            if (!failed) failed = what;
        };
        return app::renderCommand(application, arguments, failed);
    }

    QStringList files;
    bool safe = false, fresh = false, openLast = false, newProject = false;
    QString theme, language = app::settings::language();
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        QString const &word = arguments[i];
        if (word == QLatin1String("--json")) continue;
        else if (word == QLatin1String("--safe")) safe = true;
        else if (word == QLatin1String("--new-instance")) fresh = true;
        else if (word == QLatin1String("--new-project")) newProject = true;
        else if (word == QLatin1String("--open-last")) openLast = true;
        else if (word == QLatin1String("--limit") && i + 1 < arguments.size()) {
            if (auto const status = setLimit(arguments[++i].toStdString()); !status.ok()) {
                std::fprintf(stderr, "tilewright-gui: error: %s\n", toText(status.error()).c_str());
                return 2;
            }
        } else if (word == QLatin1String("--theme") && i + 1 < arguments.size()) theme = arguments[++i];
        else if (word == QLatin1String("--language") && i + 1 < arguments.size()) language = arguments[++i];
        else if (word.startsWith(QLatin1String("--"))) {
            std::fprintf(stderr, "tilewright-gui: error: there is no option '%s'.\n%s", qPrintable(word), kUsage);
            return 2;
        } else files << QFileInfo(word).absoluteFilePath();
    }
    if (openLast)
        for (auto const &recent : app::settings::recentFiles())
            if (QFileInfo::exists(recent)) {
                files << recent;
                break;
            }
    app::SingleInstance instance;
    if (!fresh && !newProject && instance.handOver(files)) return 0; // a new project gets a window of its own

    installTranslation(application, language);
    views::setByteUnits(app::settings::byteUnits());
    auto kind = app::settings::effectiveTheme();
    if (theme == QLatin1String("light")) kind = views::ThemeKind::Light;
    if (theme == QLatin1String("dark")) kind = views::ThemeKind::Dark;
    if (theme == QLatin1String("contrast")) kind = views::ThemeKind::HighContrast;
    views::applyTheme(application, kind);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/app/tilewright.svg")));

    app::MainWindow window(safe);
    instance.listen();
    QObject::connect(&instance, &app::SingleInstance::filesReceived, &window, &app::MainWindow::openFiles);
    QSocketNotifier notifier(signals_, QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, &window, [&] {
        signalfd_siginfo info;
        while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {}
        window.quitNow();
    });
    application.onFailure = [&window](Diagnostic const &what) { views::ProblemLog::of(window.session()).add(what); };
    auto const show = [&window] {
        if (!window.quits()) window.show();
    };
    // What opens in a moment is there from the first picture on. Whoever ends the program while files are being opened does so
    // before there is a loop to leave.
    QTimer::singleShot(250, &window, show);
    if (!files.isEmpty()) {
        auto const opened = guarded("window", Message::of("the content of the files"), [&]() -> Status {
            window.openFiles(files);
            return {};
        });
        if (!opened.ok()) application.onFailure(opened.error());
    }
    show();
    int const status = window.quits() ? 0 : QApplication::exec();
    application.onFailure = {};
    return status;
}
