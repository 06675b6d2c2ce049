#include "core/service/value_types.h"

#include "core/service/connection_tester.h"
#include "core/service/lock_monitor.h"
#include "core/service/release_desk.h"

#include <QMetaType>

namespace lockscope::service {

void registerValueTypes()
{
    qRegisterMetaType<std::vector<store::Endpoint>>("std::vector<lockscope::store::Endpoint>");
    qRegisterMetaType<LinkStatus>("lockscope::service::LinkStatus");
    qRegisterMetaType<SweepProgress>("lockscope::service::SweepProgress");
    qRegisterMetaType<ServerLoad>("lockscope::service::ServerLoad");
    qRegisterMetaType<inspect::LockDelta>("lockscope::inspect::LockDelta");
    qRegisterMetaType<operations::LockDetails>("lockscope::operations::LockDetails");
    qRegisterMetaType<inspect::ReleaseReport>("lockscope::inspect::ReleaseReport");
    qRegisterMetaType<inspect::NextHold>("lockscope::inspect::NextHold");
    qRegisterMetaType<operations::FoundHolder>("lockscope::operations::FoundHolder");
    qRegisterMetaType<inspect::KillReport>("lockscope::inspect::KillReport");
    qRegisterMetaType<operations::CaptureResult>("lockscope::operations::CaptureResult");
    qRegisterMetaType<TestResult>("lockscope::service::TestResult");
}

} // namespace lockscope::service
