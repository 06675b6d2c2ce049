#include "tests/support/live/weak_way.h"

#include "tests/support/source_tree.h"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <stdexcept>

namespace lockscope::testing {

using namespace Qt::StringLiterals;

bool WeakWay::canBeMade()
{
    return !QStandardPaths::findExecutable(u"python3"_s).isEmpty();
}

WeakWay::WeakWay() : m_formerPath(qgetenv("PATH"))
{
    const QString bin = m_folder.filePath(u"bin"_s);
    QDir().mkdir(bin);
    QDir().mkdir(m_folder.filePath(u"way"_s));
    QFile::link(inSourceTree(u"tests/support/live/weak_way.py"_s), bin + u"/ssh"_s);
    tell();
    qputenv("LOCKSCOPE_WEAK_WAY", m_folder.filePath(u"way"_s).toUtf8());
    qputenv("PATH", bin.toUtf8() + ':' + m_formerPath);
}

WeakWay::~WeakWay()
{
    qputenv("PATH", m_formerPath);
    qunsetenv("LOCKSCOPE_WEAK_WAY");
}

store::Endpoint WeakWay::over(store::Endpoint endpoint) const
{
    endpoint.sshHost = "way";
    return endpoint;
}

void WeakWay::delay(int milliseconds)
{
    m_delayMs = milliseconds;
    tell();
}

void WeakWay::forget()
{
    m_lastForgotten = connectionCount();
    tell();
}

void WeakWay::cut()
{
    m_isCut = true;
    forget();
}

void WeakWay::mend()
{
    m_isCut = false;
    m_delayMs = 0;
    tell();
}

int WeakWay::connectionCount() const
{
    const QDir way(m_folder.filePath(u"way"_s));
    return static_cast<int>(way.entryList(QDir::Files).size()) - 1; // the state is one of them
}

/// In one piece: it is read at any moment.
void WeakWay::tell() const
{
    QSaveFile file(m_folder.filePath(u"way/state"_s));
    const QByteArray state = QByteArray::number(m_delayMs) + ' '
                             + QByteArray::number(m_lastForgotten) + (m_isCut ? " 1" : " 0");
    if (!file.open(QIODevice::WriteOnly) || file.write(state) != state.size() || !file.commit()) {
        throw std::runtime_error("the state of the way cannot be written");
    }
}

} // namespace lockscope::testing
