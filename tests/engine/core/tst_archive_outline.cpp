#include "engine/core/archive_outline.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace tilewright;

namespace outlined {

enum class Colour : std::uint8_t { Red };
struct Inner {
    std::int32_t number = 0;
    double weight = 0;
};
template <class A> void fields(A &a, Inner &v) { a(v.number, v.weight); }
struct Outer {
    std::string name;
    std::vector<Inner> items;
    std::array<std::int64_t, 4> sizes{};
    bool flag = false;
    Colour colour = Colour::Red;
};
template <class A> void fields(A &a, Outer &v) { a(v.name, v.items, v.sizes, v.flag, v.colour); }
struct Longer : Outer {
    float more = 0;
};
template <class A> void fields(A &a, Longer &v) { a(v.name, v.items, v.sizes, v.flag, v.colour, v.more); }
/// A list whose length is in the file.
struct Counted {
    int count = 0;
    std::array<Inner, 3> list;
};
template <class A> void fields(A &a, Counted &v)
{
    a(v.count);
    if constexpr (outlines<A>()) a(v.list[0]);
    for (int i = 0; i < v.count; ++i) a(v.list[static_cast<std::size_t>(i)]);
}

template <typename T> std::string outlineOf()
{
    T value;
    ArchiveOutline outline;
    outline(value);
    return outline.text();
}

} // namespace outlined

/// The outline of an archive distinguishes any two sets of fields.
class TstArchiveOutline : public QObject {
    Q_OBJECT
private slots:
    void showsEveryField()
    {
        using namespace outlined;
        QCOMPARE(outlineOf<Outer>(), std::string("{s[{i4f8}]4xi8b1e1}"));
        QCOMPARE(outlineOf<Longer>(), std::string("{s[{i4f8}]4xi8b1e1f4}"));
        QCOMPARE(outlineOf<Counted>(), std::string("{i4{i4f8}}"));
    }
};

TW_REGISTER_TEST(TstArchiveOutline);
#include "tst_archive_outline.moc"
