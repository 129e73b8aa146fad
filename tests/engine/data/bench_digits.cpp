// How hard the embedded digits are: trains a linear softmax classifier and the 784-256-128-10 network of the
// tutorial (RMSprop, learning rate 0.001, rho 0.9, epsilon 1e-7, batch 32, 5 epochs) in plain loops, with
// nothing of the engine but its data. Fails when the linear one reaches 95 % on the test digits, or the
// network stays at or below 98 % (training, mean over the last epoch) or 97.5 % (test).
//
// bench_digits [--seed N] [--threads N] [--time] [--sheet OUT.pgm] [--mnist FOLDER]
#include "engine/core/random.h"
#include "engine/data/batcher.h"
#include "engine/data/digits.h"
#include "engine/data/idx.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

using namespace tilewright;
using namespace tilewright::data;

namespace {

constexpr int kBatch = 32, kEpochs = 5;

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// c[m,n] += a[m,k] · b[k,n]; the inner loop runs over a row of b.
void multiplyAdd(float const *a, float const *b, float *c, int m, int k, int n)
{
    for (int i = 0; i < m; i += 4) {
        for (int p = 0; p < k; ++p) {
            float const *const row = b + p * n;
            for (int r = i; r < std::min(m, i + 4); ++r) {
                float const factor = a[r * k + p];
                if (factor == 0) continue;
                float *const out = c + r * n;
                for (int j = 0; j < n; ++j) out[j] += factor * row[j];
            }
        }
    }
}

std::vector<float> transposed(std::vector<float> const &a, int rows, int columns)
{
    std::vector<float> t(a.size());
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) t[static_cast<std::size_t>(j * rows + i)] = a[static_cast<std::size_t>(i * columns + j)];
    return t;
}

struct DenseLayer {
    int in, out;
    std::vector<float> weights, bias, squareWeights, squareBias, value, gradient;

    DenseLayer(int inputs, int outputs, std::uint64_t seed) : in(inputs), out(outputs)
    {
        auto const n = static_cast<std::size_t>(in * out);
        float const limit = std::sqrt(6.0f / static_cast<float>(in + out)); // Glorot uniform
        RandomStream stream(seed);
        for (std::size_t i = 0; i < n; ++i) weights.push_back(limit * (2 * unitFloat(stream.next()) - 1));
        squareWeights.assign(n, 0);
        bias.assign(static_cast<std::size_t>(out), 0);
        squareBias = bias;
    }
    void forward(std::vector<float> const &x, int batch, bool relu)
    {
        value.resize(static_cast<std::size_t>(batch * out));
        for (int i = 0; i < batch; ++i) std::copy(bias.begin(), bias.end(), value.begin() + i * out);
        multiplyAdd(x.data(), weights.data(), value.data(), batch, in, out);
        if (relu)
            for (auto &v : value) v = std::max(v, 0.0f);
    }
    static void rmsprop(std::vector<float> &w, std::vector<float> &s, std::vector<float> const &g)
    {
        for (std::size_t i = 0; i < w.size(); ++i) {
            s[i] = 0.9f * s[i] + 0.1f * g[i] * g[i];
            w[i] -= 0.001f * g[i] / (std::sqrt(s[i]) + 1e-7f);
        }
    }
    /// `gradient` holds the loss by the pre-activation. Returns the loss by x, and updates.
    std::vector<float> backward(std::vector<float> const &x, int batch, bool needInput)
    {
        std::vector<float> byInput;
        if (needInput) {
            byInput.assign(static_cast<std::size_t>(batch * in), 0);
            auto const wt = transposed(weights, in, out);
            multiplyAdd(gradient.data(), wt.data(), byInput.data(), batch, out, in);
        }
        std::vector<float> byWeights(weights.size(), 0), byBias(bias.size(), 0);
        auto const xt = transposed(x, batch, in);
        multiplyAdd(xt.data(), gradient.data(), byWeights.data(), in, batch, out);
        for (int i = 0; i < batch; ++i)
            for (int j = 0; j < out; ++j) byBias[static_cast<std::size_t>(j)] += gradient[static_cast<std::size_t>(i * out + j)];
        rmsprop(weights, squareWeights, byWeights);
        rmsprop(bias, squareBias, byBias);
        return byInput;
    }
};

struct Network {
    std::vector<DenseLayer> layers;

    std::vector<float> const &forward(std::vector<float> const &x, int batch)
    {
        for (std::size_t l = 0; l < layers.size(); ++l) layers[l].forward(l == 0 ? x : layers[l - 1].value, batch, l + 1 < layers.size());
        return layers.back().value;
    }
    int correct(std::vector<std::int32_t> const &labels) const
    {
        auto const &logits = layers.back();
        int right = 0;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            auto const *const row = logits.value.data() + i * static_cast<std::size_t>(logits.out);
            right += std::max_element(row, row + logits.out) - row == labels[i];
        }
        return right;
    }
    void train(std::vector<float> const &x, std::vector<std::int32_t> const &labels)
    {
        int const batch = static_cast<int>(labels.size());
        auto &last = layers.back();
        last.gradient = last.value;
        for (int i = 0; i < batch; ++i) { // softmax minus one-hot, mean over the batch
            auto *const row = last.gradient.data() + i * last.out;
            float const top = *std::max_element(row, row + last.out);
            float sum = 0;
            for (int j = 0; j < last.out; ++j) sum += row[j] = std::exp(row[j] - top);
            for (int j = 0; j < last.out; ++j)
                row[j] = (row[j] / sum - (j == labels[static_cast<std::size_t>(i)] ? 1.0f : 0.0f)) / static_cast<float>(batch);
        }
        for (std::size_t l = layers.size(); l-- > 0;) {
            auto const back = layers[l].backward(l == 0 ? x : layers[l - 1].value, batch, l > 0);
            if (l == 0) break;
            layers[l - 1].gradient = back;
            for (std::size_t i = 0; i < back.size(); ++i)
                if (layers[l - 1].value[i] <= 0) layers[l - 1].gradient[i] = 0;
        }
    }
};

struct Score {
    double train = 0, test = 0;
};

Score trainAndTest(char const *name, Network network, Dataset const &data, std::uint64_t seed)
{
    std::vector<float> x;
    std::vector<std::int32_t> labels;
    auto const load = [&](DataArray const &images, DataArray const &numbers, std::span<std::uint32_t const> which) {
        x.resize(which.size() * 784);
        labels.resize(which.size());
        gatherBatch(images, which, static_cast<float>(data.scale), x.data());
        gatherLabels(numbers, which, labels.data());
    };
    Score score;
    for (int epoch = 0; epoch < kEpochs; ++epoch) {
        double const start = seconds();
        auto const order = epochOrder(data.x.count(), seed, epoch, true);
        int right = 0;
        for (std::size_t at = 0; at + kBatch <= order.size(); at += kBatch) {
            load(data.x, data.y, std::span(order).subspan(at, kBatch));
            network.forward(x, kBatch);
            right += network.correct(labels);
            network.train(x, labels);
        }
        score.train = right / static_cast<double>(order.size());
        right = 0;
        auto const all = epochOrder(data.testX.count(), 0, 0, false);
        for (std::size_t at = 0; at < all.size(); at += 100) {
            load(data.testX, data.testY, std::span(all).subspan(at, std::min<std::size_t>(100, all.size() - at)));
            network.forward(x, static_cast<int>(labels.size()));
            right += network.correct(labels);
        }
        score.test = right / static_cast<double>(all.size());
        std::printf("%-8s epoch %d  train %.4f  test %.4f  (%.1f s)\n", name, epoch + 1, score.train, score.test, seconds() - start);
        std::fflush(stdout);
    }
    return score;
}

void writeSheet(Dataset const &data, std::string const &path)
{
    constexpr int kColumns = 40, kRows = 25; // four columns a digit
    std::vector<unsigned char> sheet(kColumns * 28 * kRows * 28, 0);
    std::vector<int> drawn(10, 0);
    for (std::int64_t i = 0; i < data.x.count(); ++i) {
        int const digit = data.y.as<std::uint8_t>()[static_cast<std::size_t>(i)];
        int const n = drawn[static_cast<std::size_t>(digit)]++;
        if (n >= 4 * kRows) continue;
        int const column = digit * 4 + n % 4, row = n / 4;
        for (int y = 0; y < 28; ++y)
            std::memcpy(sheet.data() + ((row * 28 + y) * kColumns + column) * 28, data.x.as<std::uint8_t>().data() + i * 784 + y * 28, 28);
    }
    std::ofstream out(path, std::ios::binary);
    out << "P5\n" << kColumns * 28 << " " << kRows * 28 << "\n255\n";
    out.write(reinterpret_cast<char const *>(sheet.data()), static_cast<std::streamsize>(sheet.size()));
}

} // namespace

int main(int argc, char **argv)
{
    DigitOptions options;
    bool onlyTime = false;
    std::string sheet, mnist;
    for (int i = 1; i < argc; ++i) {
        std::string const word = argv[i];
        bool const more = i + 1 < argc;
        if (word == "--time") onlyTime = true;
        else if (word == "--seed" && more) options.seed = std::strtoull(argv[++i], nullptr, 10);
        else if (word == "--threads" && more) options.threads = std::atoi(argv[++i]);
        else if (word == "--sheet" && more) sheet = argv[++i];
        else if (word == "--mnist" && more) mnist = argv[++i];
        else return std::fprintf(stderr, "unknown argument %s\n", word.c_str()), 2;
    }
    double const start = seconds();
    auto made = generateDigits(options, {});
    if (!made) return std::fprintf(stderr, "%s\n", toText(made.error()).c_str()), 1;
    std::printf("%lld digits in %.3f s, content %016llx\n", static_cast<long long>(made->x.count() + made->testX.count()),
                seconds() - start, static_cast<unsigned long long>(made->contentHash));
    if (!mnist.empty()) {
        auto const read = [&](char const *file) { return readIdx(mnist + "/" + file, {}).value(); };
        made->x = read("train-images-idx3-ubyte.gz");
        made->y = read("train-labels-idx1-ubyte.gz");
        made->testX = read("t10k-images-idx3-ubyte.gz");
        made->testY = read("t10k-labels-idx1-ubyte.gz");
    }
    if (!sheet.empty()) writeSheet(*made, sheet);
    if (onlyTime) return 0;

    Network linear{{DenseLayer(784, 10, 11)}};
    Network deep{{DenseLayer(784, 256, 1), DenseLayer(256, 128, 2), DenseLayer(128, 10, 3)}};
    auto const a = trainAndTest("linear", std::move(linear), *made, options.seed);
    auto const b = trainAndTest("network", std::move(deep), *made, options.seed);
    bool const good = a.test < 0.95 && b.train > 0.98 && b.test > 0.975;
    std::printf("%s\n", good ? "as wanted" : "NOT as wanted: linear test < 0.95, network train > 0.98 and test > 0.975");
    return good ? 0 : 1;
}
