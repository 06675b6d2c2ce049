// Tells the thread sanitizer what it cannot see. Qt's library is not built with the sanitizer, and
// its QMutex is made of atomics inside that library, so a value that travels in a queued signal
// looks as if it crossed without any synchronisation. This file is linked into every test of the
// preset dev-tsan and puts itself between our code and the functions of Qt through which all of our
// values cross:
//
//   a signal is emitted, or a functor is posted: release; then Qt copies the values, unwatched
//   any event is delivered: acquire
//
// That draws an edge from everything before an emission to everything in a later event. The price:
// a race between code before some emission and code in some later event is hidden, and so is what
// slots do that are called directly by an emission of ours.

#include <QMetaObject>
#include <QObject>

#include <dlfcn.h>
#include <mutex>
#include <sanitizer/tsan_interface.h>

extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}

namespace {

char border; // its address stands for what is between threads

/// Held while Qt makes an event of a functor, as Qt holds its own mutex. Without that the receiver
/// seems to delete the event while it is made: once in a hundred runs of `contend`.
std::mutex posting;

bool acquireBeforeEvent(void**)
{
    {
        const std::lock_guard isPosted(posting);
    }
    __tsan_acquire(&border);
    return false; // Qt goes on to deliver the event
}

[[maybe_unused]] const bool kIsRegistered =
    QInternal::registerCallback(QInternal::EventNotifyCallback, acquireBeforeEvent);

/// As long as it lives, values cross to Qt.
class Crossing {
public:
    Crossing()
    {
        __tsan_release(&border);
        AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
        AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    }
    ~Crossing()
    {
        AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
        AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    }
    Crossing(const Crossing&) = delete;
    Crossing& operator=(const Crossing&) = delete;
};

/// The function of Qt's library that ours stands before.
template<class Function>
Function* original(const char* mangledName)
{
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, mangledName));
}

/// Either thread may be the last to let go of a functor, and the count is invisible too. It is kept
/// forever instead, so that neither frees what the other has read.
void keepForEver(QtPrivate::QSlotObjectBase& functor)
{
    functor.ref();
}

} // namespace

/// What a queued signal calls is read where it is heard, and freed where its sender dies.
QMetaObject::Connection QObject::connectImpl(const QObject* sender, void** signal,
                                             const QObject* receiver, void** slot,
                                             QtPrivate::QSlotObjectBase* functor,
                                             Qt::ConnectionType type, const int* types,
                                             const QMetaObject* senderMetaObject)
{
    using Connect = QMetaObject::Connection(const QObject*, void**, const QObject*, void**,
                                            QtPrivate::QSlotObjectBase*, Qt::ConnectionType,
                                            const int*, const QMetaObject*);
    static Connect* const qtConnect =
        original<Connect>("_ZN7QObject11connectImplEPKS_PPvS1_S3_PN9QtPrivate15QSlotObjectBaseEN2Qt"
                          "14ConnectionTypeEPKiPK11QMetaObject");
    keepForEver(*functor);
    return qtConnect(sender, signal, receiver, slot, functor, type, types, senderMetaObject);
}

void QMetaObject::activate(QObject* sender, const QMetaObject* metaObject, int signalIndex,
                           void** arguments)
{
    using Activate = void(QObject*, const QMetaObject*, int, void**);
    static Activate* const qtActivate =
        original<Activate>("_ZN11QMetaObject8activateEP7QObjectPKS_iPPv");
    const Crossing unwatched;
    qtActivate(sender, metaObject, signalIndex, arguments);
}

bool QMetaObject::invokeMethodImpl(QObject* object, QtPrivate::QSlotObjectBase* functor,
                                   Qt::ConnectionType type, void* result)
{
    using Invoke = bool(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
    static Invoke* const qtInvoke =
        original<Invoke>("_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBase"
                         "EN2Qt14ConnectionTypeEPv");
    keepForEver(*functor);
    std::unique_lock isPosting(posting, std::defer_lock);
    if (type == Qt::QueuedConnection) { // another kind may run the functor before it returns
        isPosting.lock();
    }
    const Crossing unwatched;
    return qtInvoke(object, functor, type, result);
}
