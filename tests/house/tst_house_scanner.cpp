#include "tests/house/function_scanner.h"
#include "tests/house/source_file.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace lockscope::tst_house_scanner {

using namespace lockscope::house;

/// The reader beneath the house rules: what is code, where functions begin and end, what is a
/// lambda.
class HouseScanner : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blanksCommentsAndStringsAndKeepsPositions_data();
    void blanksCommentsAndStringsAndKeepsPositions();
    void readsIncludesOnlyWhereTheyAreCode();
    void findsWordsAsAWhole();
    void countsLinesFromOne();
    void findsFunctions_data();
    void findsFunctions();
    void measuresFromDeclarationToClosingBrace();
    void tellsConstructorsFromFunctions();
    void findsLambdasAndTheirCaptures();
};

void HouseScanner::blanksCommentsAndStringsAndKeepsPositions_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("code");
    QTest::newRow("line comment") << QByteArray("a; // b\nc") << QByteArray("a;     \nc");
    QTest::newRow("block comment") << QByteArray("a /* b\nc */ d") << QByteArray("a     \n     d");
    QTest::newRow("string") << QByteArray("f(\"a{b\")") << QByteArray("f(\"   \")");
    QTest::newRow("escaped quote") << QByteArray("\"a\\\"b\" c") << QByteArray("\"    \" c");
    QTest::newRow("comment in a string") << QByteArray("\"//\" x") << QByteArray("\"  \" x");
    QTest::newRow("quote in a comment") << QByteArray("// don't\nx") << QByteArray("        \nx");
    QTest::newRow("character") << QByteArray("'{' x '\\''") << QByteArray("' ' x '  '");
    QTest::newRow("digit separators")
        << QByteArray("1'000'000 + '1'") << QByteArray("1'000'000 + ' '");
    QTest::newRow("raw string") << QByteArray("R\"x({\")x\" y") << QByteArray("R         y");
    QTest::newRow("a name that ends in R") << QByteArray("FOR\"a\" y") << QByteArray("FOR\" \" y");
}

void HouseScanner::blanksCommentsAndStringsAndKeepsPositions()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, code);
    QCOMPARE(QByteArray::fromStdString(withoutCommentsAndStrings(text.toStdString())), code);
}

void HouseScanner::readsIncludesOnlyWhereTheyAreCode()
{
    const SourceFile file =
        parseSource("core/kernel/x.cpp",
                    "#include \"base/bytes.h\"\n// #include \"no.h\"\n\n#include <vector>\n");
    QCOMPARE(file.includes.size(), std::size_t(2));
    QCOMPARE(file.includes[0].path, std::string("base/bytes.h"));
    QVERIFY(!file.includes[0].isAngled);
    QCOMPARE(file.includes[1].path, std::string("vector"));
    QCOMPARE(file.includes[1].line, 4);
    QVERIFY(file.includes[1].isAngled);
}

void HouseScanner::findsWordsAsAWhole()
{
    QCOMPARE(findWord("asleep(); sleep()", "sleep"), std::size_t(10));
    QCOMPARE(findWord("QTest::qWaitFor(x)", "QTest::qWait"), std::string_view::npos);
    QCOMPARE(findWord("a::QEventLoop b", "QEventLoop"), std::size_t(3));
}

void HouseScanner::countsLinesFromOne()
{
    const SourceFile file = parseSource("a.h", "one\ntwo\n\nfour");
    QCOMPARE(file.lineCount(), 4);
    QCOMPARE(file.lineOf(0), 1);
    QCOMPARE(file.lineOf(4), 2);
    QCOMPARE(file.rawLine(4), std::string_view("four"));
    QCOMPARE(file.stem(), std::string_view("a"));
}

void HouseScanner::findsFunctions_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("names");
    QTest::newRow("free function")
        << QByteArray("int f(int a)\n{\n    return a;\n}\n") << QByteArray("f");
    QTest::newRow("member") << QByteArray("void A::b() const\n{\n    if (x) { y(); }\n}\n")
                            << QByteArray("A::b");
    QTest::newRow("in namespace and class")
        << QByteArray("namespace n {\nclass C {\npublic:\n    int get() const { return 1; }\n    "
                      "int x{0};\n};\n}\n")
        << QByteArray("get");
    QTest::newRow("template") << QByteArray("template<class T = int>\nvoid f(T t)\n{\n}\n")
                              << QByteArray("f");
    QTest::newRow("initialiser list")
        << QByteArray("C::C(int a)\n    : m_a{a}, m_b(2)\n{\n    go();\n}\nint g()\n{\n}\n")
        << QByteArray("C::C g");
    QTest::newRow("table of values")
        << QByteArray("constexpr int kTable[] = {f(1), f(2)};\nint g()\n{\n}\n") << QByteArray("g");
    QTest::newRow("comparison") << QByteArray("bool operator==(A a, A b)\n{\n    return true;\n}\n")
                                << QByteArray("operator==");
    QTest::newRow("lambda inside")
        << QByteArray("void f()\n{\n    auto l = [](int x) { return x; };\n}\n") << QByteArray("f");
    QTest::newRow("macro before a class")
        << QByteArray("Q_DECLARE_METATYPE(a::B)\n\nclass C {\n    void f() {}\n};\n")
        << QByteArray("f");
    QTest::newRow("macro with braces")
        << QByteArray("#define X(a) {a\nvoid f()\n{\n}\n") << QByteArray("f");
}

void HouseScanner::findsFunctions()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QByteArray, names);
    QByteArrayList found;
    for (const Function& function : functionsOf(parseSource("core/x.cpp", text.toStdString()))) {
        found.append(QByteArray::fromStdString(function.name));
    }
    QCOMPARE(found.join(' '), names);
}

void HouseScanner::measuresFromDeclarationToClosingBrace()
{
    const std::string text = "int before;\n\nint f(int a,\n      int b)\n{\n    return a + b;\n}\n";
    const std::vector<Function> functions = functionsOf(parseSource("core/x.cpp", text));
    QCOMPARE(functions.size(), std::size_t(1));
    QCOMPARE(functions[0].firstLine, 3);
    QCOMPARE(functions[0].lastLine, 7);
    QCOMPARE(functions[0].lineCount(), 5);
}

void HouseScanner::tellsConstructorsFromFunctions()
{
    const std::string text = "class W {\n    W() { a(); }\n    void w() {}\n};\n"
                             "W::W(int)\n{\n}\nvoid W::show()\n{\n}\nn::W::W(long)\n{\n}\n";
    std::vector<bool> isConstructor;
    for (const Function& function : functionsOf(parseSource("ui/x.cpp", text))) {
        isConstructor.push_back(function.isConstructor);
    }
    QCOMPARE(isConstructor, (std::vector<bool>{true, false, true, false, true}));
}

void HouseScanner::findsLambdasAndTheirCaptures()
{
    const std::string code =
        "f([] { g(); }); h([&x](int a) -> int { return a; }); v[1] = w[i]; [[nodiscard]] int k();"
        " return [this] { }; for (const auto& [a, b] : c) { d(); } auto [e, f] = g;";
    std::vector<bool> captures;
    for (const Lambda& lambda : lambdasOf(code)) {
        captures.push_back(lambda.captures);
    }
    QCOMPARE(captures, (std::vector<bool>{false, true, true}));
}

LOCKSCOPE_TEST(HouseScanner, None)

} // namespace lockscope::tst_house_scanner

#include "tst_house_scanner.moc"
