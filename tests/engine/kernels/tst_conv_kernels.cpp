#include "engine/kernels/conv.h"
#include "tests/engine/kernels/kernel_cases.h"
#include "tests/support/random_conv.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::kernels;

namespace {

struct Tensors {
    std::vector<float> x, w, y;
};

Tensors randomTensors(graph::ConvGeometry const &g, RandomStream &random)
{
    Tensors t;
    auto const fill = [&](std::vector<float> &values, Shape const &shape) {
        values.resize(static_cast<std::size_t>(elementCount(shape)));
        for (auto &v : values) v = static_cast<float>(random.uniform() * 2 - 1);
    };
    fill(t.x, g.inShape());
    fill(t.w, g.kernelShape());
    fill(t.y, g.outShape());
    return t;
}

ConvCall callOf(graph::ConvGeometry const &g, ConvResult result, Tensors &t) { return {g, result, t.x.data(), t.w.data(), t.y.data()}; }

std::vector<float> const &resultOf(ConvResult result, Tensors const &t)
{
    return result == ConvResult::Output ? t.y : result == ConvResult::InputGradient ? t.x : t.w;
}

} // namespace

class TstConvKernels : public QObject {
    Q_OBJECT
private slots:
    /// The library against products of copied-out windows, and both against the oracle (tst_kernels has it for the op).
    void libraryAndProductsAgree()
    {
        int byLibrary = 0;
        ThreadPool pool(2);
        for (std::uint64_t seed = 0; seed < 150; ++seed) {
            RandomStream random(deriveSeed(5, seed));
            auto const conv = tests::randomConv(random);
            for (auto result : {ConvResult::Output, ConvResult::InputGradient, ConvResult::WeightGradient}) {
                auto library = randomTensors(conv.geometry, random), products = library;
                auto const fast = convByLibrary(callOf(conv.geometry, result, library));
                if (!fast) continue;
                ++byLibrary;
                RunContext ctx{pool};
                (*fast)(ctx);
                convByProducts(callOf(conv.geometry, result, products))(ctx);
                auto const &a = resultOf(result, library), &b = resultOf(result, products);
                for (std::size_t i = 0; i < a.size(); ++i)
                    QVERIFY2(std::abs(a[i] - b[i]) <= 2e-4f,
                             qPrintable(QString("seed %1, result %2, element %3: %4 and %5")
                                            .arg(seed)
                                            .arg(static_cast<int>(result))
                                            .arg(i)
                                            .arg(a[i])
                                            .arg(b[i])));
            }
        }
        if (convByLibrary({})) QVERIFY2(byLibrary > 400, qPrintable(QString::number(byLibrary)));
    }
    /// Weight gradients of strided 1 x 1 kernels: some plans of the library write beyond their memory, which ends the program.
    void stridedPointKernelsStayInTheirMemory()
    {
        ThreadPool pool(1);
        RandomStream random(7);
        for (std::int64_t const channels : {1, 2, 3, 8, 12, 15, 16, 20})
            for (std::int64_t const stride : {2, 3}) {
                graph::ConvGeometry g;
                g.batch = 5;
                g.channels = channels;
                g.filters = 2;
                g.axis[1] = {6, 1, 6, 1, 1, 0};
                g.axis[2] = {288, 1, (288 - 1) / stride + 1, stride, 1, 0};
                auto library = randomTensors(g, random), products = library;
                auto const fast = convByLibrary(callOf(g, ConvResult::WeightGradient, library));
                if (!fast) continue;
                RunContext ctx{pool};
                (*fast)(ctx);
                convByProducts(callOf(g, ConvResult::WeightGradient, products))(ctx);
                for (std::size_t i = 0; i < library.w.size(); ++i)
                    QVERIFY2(std::abs(library.w[i] - products.w[i]) <= 2e-3f, qPrintable(QString::number(channels)));
            }
    }
    void threadsChangeNoBit()
    {
        graph::ConvGeometry g;
        g.batch = 13;
        g.channels = 8;
        g.filters = 24;
        for (std::size_t i : {std::size_t{1}, std::size_t{2}}) g.axis[i] = {20, 3, 18, 1, 1, 0};
        RandomStream random(3);
        auto const first = randomTensors(g, random);
        for (auto result : {ConvResult::Output, ConvResult::InputGradient, ConvResult::WeightGradient}) {
            QVERIFY(cutConv(g, result).pieces > 1);
            for (bool products : {false, true}) {
                std::vector<std::vector<float>> results;
                for (int threads : {1, 2, 3}) {
                    ThreadPool pool(threads);
                    RunContext ctx{pool};
                    auto t = first;
                    auto const call = callOf(g, result, t);
                    auto kernel = products ? std::optional(convByProducts(call)) : convByLibrary(call);
                    if (!kernel) break;
                    (*kernel)(ctx);
                    (*kernel)(ctx); // a run leaves nothing that changes the next
                    results.push_back(resultOf(result, t));
                }
                for (auto const &r : results) QVERIFY(r == results.front());
            }
        }
    }
};

TW_REGISTER_TEST(TstConvKernels);
#include "tst_conv_kernels.moc"
