#include "views/palette/palette_list.h"
#include "views/palette/palette_view.h"

#include "views/common/theme.h"
#include "views/document/document.h"
#include "views/modeledit/document_edits.h"
#include "views/modeledit/layer_family.h"
#include "views/session/selection.h"

#include "engine/model/layer_families.h"
#include "engine/model/layer_spec.h"
#include "tests/support/test_registry.h"

#include <QLineEdit>
#include <QMimeData>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

class TstPaletteView : public QObject {
    Q_OBJECT
private slots:
    void listsEveryClassOfTheRegistryAndFindsByWords()
    {
        PaletteList list;
        QCOMPARE(list.filter({}), static_cast<int>(model::builtinLayers().size()));
        QCOMPARE(list.filter(QStringLiteral("dense")), 2); // and EinsumDense
        QCOMPARE(PaletteList::classOf(list.currentItem()), QStringLiteral("Dense"));
        QCOMPARE(list.filter(QStringLiteral("no such layer")), 0);
    }
    void everyFamilyOfTheRegistryHasItsColourAndLetter()
    {
        QSet<QChar> letters;
        QSet<QRgb> colors[3];
        QSet<QString> used;
        for (auto const &layer : model::builtinLayers()) used.insert(QString::fromStdString(layer.category));
        for (auto const &family : model::layerFamilies()) {
            QString const name = QString::fromStdString(std::string(family.name));
            auto const token = familyToken(family.name);
            QVERIFY2(token != Token::FamilyOther, qPrintable(name));
            QVERIFY2(!letters.contains(familyLetter(token)) && familyLetter(token) != u'?', qPrintable(name));
            letters.insert(familyLetter(token));
            int at = 0;
            for (auto const kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
                auto const theme = makeTheme(kind);
                QVERIFY2(!colors[at].contains(theme[token].rgb()), qPrintable(name));
                QVERIFY2(contrastRatio(theme[token], theme[Token::Panel]) >= 3, qPrintable(name));
                colors[at++].insert(theme[token].rgb());
            }
            used.remove(name);
        }
        QVERIFY2(used.isEmpty(), qPrintable(QStringList(used.begin(), used.end()).join(u' '))); // all classes belong to a known family
        QCOMPARE(familyOf("Conv2D"), Token::FamilyConvolution);
        QCOMPARE(familyOf("LSTM"), Token::FamilyRecurrent);
        QCOMPARE(familyOf("MultiHeadAttention"), Token::FamilyAttention);
        QCOMPARE(familyOf("NoSuchLayer"), Token::FamilyOther);
        QCOMPARE(familyLetter(Token::FamilyOther), QChar(u'?'));
    }
    void dragCarriesTheClassName()
    {
        class Open : public PaletteList {
        public:
            using PaletteList::mimeData;
        } list;
        list.filter(QStringLiteral("dropout"));
        std::unique_ptr<QMimeData> const mime(list.mimeData({list.currentItem()}));
        QCOMPARE(mime->data(QString::fromLatin1(kLayerMime)), QByteArray("Dropout"));
        QVERIFY(!list.mimeData({list.topLevelItem(0)}));
    }
    void enterAddsBehindTheSelectedLayer()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        session.selection().selectLayer(QStringLiteral("dense"));
        std::unique_ptr<View> const view(paletteView().create(session, nullptr));
        view->resize(240, 400);
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        auto *search = view->findChild<QLineEdit *>();
        search->setFocus();
        QTest::keyClicks(search, QStringLiteral("dropout"));
        QTest::keyClick(search, Qt::Key_Return);
        auto const &layers = session.document().project().model.layers;
        QCOMPARE(layers[3].className, std::string("Dropout"));
        QCOMPARE(session.selection().current().name, QStringLiteral("dropout"));
        session.document().undoStack().undo();
        QVERIFY(!session.document().project().model.find("dropout"));
    }
    /// Of the embedded digits, and of a file, once it is read.
    void anInputLayerTakesTheShapeOfTheData()
    {
        Session session;
        QVERIFY(session.document().openTemplate(QStringLiteral("mnist-mlp")).ok());
        auto const shape = [&] {
            auto const layer = starterLayerFor(session, QStringLiteral("InputLayer"), {});
            return layer.ok() ? layer->config.at("batch_input_shape").dump() : layer.error().message.text();
        };
        QCOMPARE(shape(), std::string("[null,28,28]"));
        QTemporaryDir folder;
        QFile table(folder.filePath(QStringLiteral("t.csv")));
        QVERIFY(table.open(QIODevice::WriteOnly));
        table.write("a,b,c,label\n1,2,3,0\n4,5,6,1\n7,8,9,0\n");
        table.close();
        QVERIFY(session.document().setField(QStringLiteral("data.path"), table.fileName()).ok());
        QTRY_COMPARE(shape(), std::string("[null,3]"));
    }
};

TW_REGISTER_TEST(TstPaletteView);
#include "tst_palette_view.moc"
