// Callbacks that write files within epochs, continue an interrupted training, or write for TensorBoard.
#include "engine/core/files.h"
#include "engine/runtime/checkpoint_file.h"
#include "engine/runtime/event_file.h"
#include "engine/runtime/training_session.h"
#include "tests/engine/runtime/session_tools.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>

#include <map>

using namespace tilewright;
using namespace tilewright::tests;
using Json = nlohmann::json;

namespace {

/// A reader of protocol buffers and TFRecords that shares nothing with the writer.
struct WireMessage {
    std::map<int, std::vector<QByteArray>> fields;

    explicit WireMessage(QByteArray const &bytes)
    {
        qsizetype at = 0;
        auto const varint = [&] {
            quint64 value = 0;
            for (int shift = 0; at < bytes.size(); shift += 7) {
                auto const byte = static_cast<quint8>(bytes[at++]);
                value |= quint64(byte & 0x7f) << shift;
                if (byte < 0x80) break;
            }
            return value;
        };
        while (at < bytes.size()) {
            auto const tag = varint();
            qsizetype size = 0;
            QByteArray value;
            switch (tag & 7) {
            case 0: value = QByteArray::number(varint()); break;
            case 1: size = 8; break;
            case 2: size = static_cast<qsizetype>(varint()); break;
            case 5: size = 4; break;
            default: qFatal("wire type");
            }
            if (size > 0) value = bytes.mid(at, size);
            at += size;
            fields[static_cast<int>(tag >> 3)].push_back(value);
        }
    }
    QByteArray one(int field) const { return fields.contains(field) ? fields.at(field).front() : QByteArray(); }
    WireMessage inside(int field) const { return WireMessage(one(field)); }
    template <typename T> std::vector<T> numbers(int field) const
    {
        auto const bytes = one(field);
        std::vector<T> all(static_cast<std::size_t>(bytes.size()) / sizeof(T));
        std::memcpy(all.data(), bytes.constData(), all.size() * sizeof(T));
        return all;
    }
};

quint32 slowCrc(QByteArray const &bytes)
{
    quint32 crc = 0xffffffff;
    for (char const byte : bytes) {
        crc ^= static_cast<quint8>(byte);
        for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) ? (crc >> 1) ^ 0x82f63b78u : crc >> 1;
    }
    return ~crc;
}

template <typename T> T numberAt(QByteArray const &bytes, qsizetype at)
{
    T value{};
    std::memcpy(&value, bytes.constData() + at, sizeof value);
    return value;
}

/// Events of the only file of a folder. Stops the test at a wrong checksum.
std::vector<WireMessage> eventsOf(std::filesystem::path const &folder)
{
    QDir const dir(QString::fromStdString(folder.string()));
    auto const names = dir.entryList({"events.out.tfevents.*.v2"}, QDir::Files);
    if (names.size() != 1) qFatal("%d event files in %s", int(names.size()), qPrintable(dir.path()));
    QFile file(dir.filePath(names.front()));
    if (!file.open(QIODevice::ReadOnly)) qFatal("no events");
    auto const bytes = file.readAll();
    std::vector<WireMessage> events;
    auto const masked = [](QByteArray const &part) {
        auto const crc = slowCrc(part);
        return quint32((crc >> 15 | crc << 17) + 0xa282ead8u);
    };
    for (qsizetype at = 0; at < bytes.size();) {
        auto const length = static_cast<qsizetype>(numberAt<quint64>(bytes, at));
        if (numberAt<quint32>(bytes, at + 8) != masked(bytes.mid(at, 8))) qFatal("checksum of a length");
        auto const data = bytes.mid(at + 12, length);
        if (data.size() != length || numberAt<quint32>(bytes, at + 12 + length) != masked(data)) qFatal("checksum of an event");
        events.emplace_back(data);
        at += length + 16;
    }
    return events;
}

} // namespace

class TstCallbackFiles : public QObject {
    Q_OBJECT
    SessionFolder m_folder;

    static Json callback(char const *name, Json config = Json::object()) { return {{"class_name", name}, {"config", std::move(config)}}; }
    project::Project project(Json const &callbacks, Fields more = {}) const
    {
        // 8 steps an epoch.
        Fields fields{{"training.epochs", "4"},       {"training.batch_size", "16"},
                      {"data.limit", "160"},          {"training.validation_split", "0.2"},
                      {"training.optimizer", "adam"}, {"training.callbacks", callbacks.dump()}};
        fields.insert(fields.end(), more.begin(), more.end());
        return mnist("gc200:tiles=16", smallModel(fields));
    }
    runtime::RunRequest request(char const *folder) const
    {
        auto request = requestIn(m_folder);
        request.baseDir = m_folder.path() / folder;
        std::filesystem::create_directories(request.baseDir);
        return request;
    }

private slots:
    void theChecksumIsCastagnolis()
    {
        QCOMPARE(runtime::crc32c("123456789"), 0xe3069283u);
        QCOMPARE(runtime::crc32c(""), 0u);
    }

    void aBackupContinuesWhatWasInterrupted()
    {
        auto const list = Json::array({callback("ReduceLROnPlateau", {{"monitor", "loss"}, {"patience", 1}, {"min_delta", 10}}),
                                       callback("BackupAndRestore", {{"backup_dir", "backup"}})});
        auto const p = project(list);
        auto const straight = trained(p, request("straight"));
        auto const file = m_folder.path() / "cut/backup/backup.npz";
        {
            // A program that dies within the third epoch.
            runtime::RunObserver const nobody;
            JobContext const job;
            auto const cut = request("cut");
            auto training = runtime::TrainingSession::prepare(p, cut, nobody, job);
            QVERIFY2(training.ok(), training.ok() ? "" : toText(training.error()).c_str());
            (*training)->run({.steps = 19});
        }
        QVERIFY(std::filesystem::exists(file));
        QCOMPARE(runtime::readCheckpoint(file, {})->epoch, std::int64_t(2));
        auto const rest = trained(p, request("cut"));
        QCOMPARE(rest.steps, std::int64_t(16));
        QCOMPARE(rest.epochs.front().epoch, std::int64_t(3));
        QVERIFY(sameBytes(rest.state, straight.state));
        // A training that ended leaves none; one that continues on request does not read it.
        QVERIFY(!std::filesystem::exists(file));
        QVERIFY(!std::filesystem::exists(m_folder.path() / "straight/backup/backup.npz"));
        auto bounded = request("cut");
        bounded.steps = 8;
        auto const eight = trained(p, bounded);
        QVERIFY(std::filesystem::exists(file));
        auto asked = request("cut");
        asked.resume = straight.state;
        QCOMPARE(trained(p, asked).steps, std::int64_t(0));
    }

    void checkpointsFollowBatches()
    {
        auto const names = [&](Json const &frequency, char const *folder, Fields more = {}) {
            auto const list = Json::array({callback("ModelCheckpoint", {{"filepath", "e{epoch}b{batch}.npz"}, {"save_freq", frequency}})});
            auto const wanted = request(folder);
            more.emplace_back("training.epochs", "2");
            trained(project(list, more), wanted);
            return QDir(QString::fromStdString(wanted.baseDir.string())).entryList({"*.npz"}, QDir::Files, QDir::Name);
        };
        // 16 batches: every 5th, also over the end of an epoch.
        QCOMPARE(names(5, "five"), (QStringList{"e1b5.npz", "e2b2.npz", "e2b7.npz"}));
        QCOMPARE(names("8", "eight"), (QStringList{"e1b8.npz", "e2b8.npz"}));
        // Only between executions.
        QCOMPARE(names(3, "three", {{"training.steps_per_execution", "4"}}), (QStringList{"e1b4.npz", "e1b8.npz", "e2b4.npz", "e2b8.npz"}));
        auto const from = runtime::readCheckpoint(m_folder.path() / "five/e1b5.npz", {});
        QVERIFY(from.ok());
        QCOMPARE(from->step, std::int64_t(5));
        auto const code = [](Json const &frequency) {
            auto const plan = model::withTrainingField(
                {}, "callbacks", Json::array({callback("ModelCheckpoint", {{"filepath", "a.npz"}, {"save_freq", frequency}})}).dump());
            return plan.ok() ? std::string() : plan.error().code;
        };
        for (auto const &bad : {Json(0), Json(-3), Json("often"), Json("batch"), Json(1.5)})
            QCOMPARE(code(bad), std::string("model.bad-argument"));
        QCOMPARE(code(7), std::string());
    }

    void tensorBoardReadsScalarsAndHistograms()
    {
        auto const list = Json::array({callback("TensorBoard", {{"log_dir", "logs/a"}, {"histogram_freq", 2}, {"update_freq", 3}})});
        auto const wanted = request("board");
        auto const outcome = trained(project(list), wanted);
        std::map<std::string, std::map<int, float>> scalars;
        std::map<std::string, std::vector<int>> histograms;
        auto const train = eventsOf(wanted.baseDir / "logs/a/train");
        QCOMPARE(train.front().one(3), QByteArray("brain.Event:2"));
        for (auto const &event : train) {
            QVERIFY(event.numbers<double>(1).front() > 1.7e9); // wall time
            if (!event.fields.contains(5)) continue;
            auto const value = event.inside(5).inside(1);
            auto const step = event.one(2).toInt();
            auto const tag = value.one(1).toStdString();
            auto const plugin = value.inside(9).inside(1).one(1);
            if (plugin == "scalars") {
                scalars[tag][step] = value.numbers<float>(2).front();
                continue;
            }
            QCOMPARE(plugin, QByteArray("histograms"));
            histograms[tag].push_back(step);
            auto const histogram = value.inside(5);
            auto const limits = histogram.numbers<double>(6), counts = histogram.numbers<double>(7);
            QCOMPARE(limits.size(), counts.size());
            QVERIFY(std::ranges::is_sorted(limits));
            double sum = 0;
            for (double const count : counts) sum += count;
            QCOMPARE(sum, histogram.numbers<double>(3).front());
            if (tag == "dense/kernel_0") QCOMPARE(sum, 784.0 * 32);
            QVERIFY(limits.back() >= histogram.numbers<double>(2).front());
        }
        for (auto const &epoch : outcome.epochs) QCOMPARE(scalars["epoch_loss"][int(epoch.epoch) - 1], static_cast<float>(epoch.loss));
        QCOMPARE(scalars["batch_loss"].size(), std::size_t(10)); // of 32 batches
        QVERIFY(scalars["batch_loss"].contains(3) && scalars["batch_loss"].contains(30));
        QCOMPARE(histograms.size(), std::size_t(6));
        QCOMPARE(histograms["dense_1/bias_0"], (std::vector<int>{0, 2}));
        auto const validation = eventsOf(wanted.baseDir / "logs/a/validation");
        QCOMPARE(validation.size(), 1 + outcome.epochs.size() * (1 + outcome.epochs.front().valMetrics.size()));
        auto const first = validation[1].inside(5).inside(1);
        QVERIFY(first.one(1).startsWith("epoch_"));
        auto const code = [](Json const &config) {
            auto const plan = model::withTrainingField({}, "callbacks", Json::array({callback("TensorBoard", config)}).dump());
            return plan.ok() ? std::string() : plan.error().code;
        };
        QCOMPARE(code({{"log_dir", "../logs"}}), std::string("model.bad-argument"));
        QCOMPARE(code({{"log_dir", "/tmp/logs"}}), std::string("model.bad-argument"));
        QCOMPARE(code({{"log_dir", "logs/"}}), std::string());
        QCOMPARE(code({{"update_freq", "batch"}}), std::string());
    }
};

TW_REGISTER_TEST(TstCallbackFiles);
#include "tst_callback_files.moc"
