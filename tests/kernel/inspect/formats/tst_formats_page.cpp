#include "tests/kernel/inspect/capture.h"
#include "tests/support/source_tree.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>

#include <algorithm>
#include <set>

// docs/formats.md is written from the recognisers and from what real clients left in tests/data.
namespace lockscope::tst_formats_page {

using namespace lockscope::inspect;
using namespace lockscope::testing;

namespace {

constexpr const char* kIntroduction = R"(# Recognised formats

Every lock format that Lockscope knows, most specific first. This page is written by `tst_formats_page` from the recognisers
and from the captures of real clients in `tests/data`: run `LOCKSCOPE_WRITE_PAGE=1 inspect_tests tst_formats_page` after a change.
[decoders.md](decoders.md) describes how a key is recognised and how a format is added.

*Proven with* names the client libraries whose own keys are in the corpus. A dash: the form was taken from the source of the library
or from a write-up, and no client of it has been run.

| Format | Library | What it is | Proven with | Warned of before a release |
|---|---|---|---|---|
)";

std::string joined(const std::set<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text.empty() ? "–" : text;
}

/// A vertical line would end the cell.
std::string cell(std::string_view text)
{
    std::string escapedText;
    for (const char c : text) {
        escapedText += c == '|' || c == '<' ? std::string("\\") + c : std::string(1, c);
    }
    return escapedText;
}

std::string rowOf(const Decoder& decoder, const std::vector<Capture>& captures)
{
    std::set<std::string> proofs;
    std::set<std::string> warnings;
    for (const Capture& capture : captures) {
        const std::vector<DecodedLock> decoded = decode(capture.snapshot,
                                                        {builtinDecoders(), capture.treatments});
        if (decoded.empty() || decoded.front().format != decoder.id) {
            continue;
        }
        if (!capture.provenWith.empty()) {
            proofs.insert(capture.provenWith);
        }
        const ReleaseRecipe recipe = decoder.release(capture.snapshot, decoded.front(),
                                                     HolderChoice::all());
        warnings.insert(recipe.warnings.begin(), recipe.warnings.end());
    }
    const std::string library = decoder.library.empty() ? "–" : std::string(decoder.library);
    return "| `" + std::string(decoder.id) + "` | " + cell(library) + " | " + cell(decoder.summary)
           + " | " + cell(joined(proofs)) + " | " + cell(joined(warnings)) + " |\n";
}

std::string page()
{
    const std::vector<Capture> captures = allCaptures();
    std::string text = kIntroduction;
    for (const Decoder& decoder : builtinDecoders()) {
        text += rowOf(decoder, captures);
    }
    return text;
}

} // namespace

class TestFormatsPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePageSaysWhatTheRegistrySays();
};

void TestFormatsPage::thePageSaysWhatTheRegistrySays()
{
    const QByteArray expected = QByteArray::fromStdString(page());
    QFile file(inSourceTree(QStringLiteral("docs/formats.md")));
    if (qEnvironmentVariableIsSet("LOCKSCOPE_WRITE_PAGE")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(expected), expected.size());
        return;
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(file.readAll() == expected, "LOCKSCOPE_WRITE_PAGE=1 inspect_tests tst_formats_page");
}

LOCKSCOPE_TEST(TestFormatsPage, None)

} // namespace lockscope::tst_formats_page

#include "tst_formats_page.moc"
