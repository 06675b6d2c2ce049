#include "core/kernel/base/sha1.h"
#include "tests/support/test_program.h"

#include <QCryptographicHash>
#include <QTest>

namespace lockscope::tst_sha1 {

class TestSha1 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLengthAroundABlockIsRight();
};

void TestSha1::everyLengthAroundABlockIsRight()
{
    QByteArray bytes;
    for (int length = 0; length < 200; ++length) {
        const QByteArray expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha1);
        QCOMPARE(QByteArray::fromStdString(sha1Hex(bytes.toStdString())), expected.toHex());
        bytes.append(static_cast<char>(length * 37));
    }
}

LOCKSCOPE_TEST(TestSha1, Core)

} // namespace lockscope::tst_sha1

#include "tst_sha1.moc"
