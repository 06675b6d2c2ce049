"""Locks of job queues and schedulers: TaskTiger, kombu, rq-scheduler, single-beat, celery-heimdall; and APScheduler, which has none."""

import os
import subprocess
import sys
import threading
import time
import uuid

from shared import OPTIONS, PORTS, redis_client, until, url


class TasktigerQueue:
    """The place of a worker of TaskTiger at a queue that only some may work on."""

    package = "tasktiger"

    def __init__(self):
        from tasktiger.redis_semaphore import Semaphore
        self._semaphore = Semaphore(redis_client(), "t:qslock:default", f"worker-{id(self)}",
                                    max_locks=OPTIONS.get("workers", 1), timeout=30)

    def acquire(self):
        until(lambda: self._semaphore.acquire()[0])
        return {"owner": self._semaphore.lock_id}

    def release(self):
        self._semaphore.release()


def report():
    """A task, for as long as it is told to."""
    TasktigerTask.started.set()
    TasktigerTask.end.wait()


class TasktigerTask:
    """A worker that runs one task whose lock keeps others like it waiting."""

    package = "tasktiger"
    started = threading.Event()
    end = threading.Event()

    def __init__(self):
        import redis
        import structlog
        import tasktiger
        structlog.configure(wrapper_class=structlog.stdlib.BoundLogger, logger_factory=structlog.PrintLoggerFactory(sys.stderr))
        self._tiger = tasktiger.TaskTiger(
            connection=redis.Redis.from_url(url(), decode_responses=True), config={"ALWAYS_EAGER": False})
        sys.modules["schedulers"] = sys.modules[__name__]

    def acquire(self):
        from tasktiger.executor import SyncExecutor
        from tasktiger.worker import Worker
        self._tiger.delay(report, lock=True)
        # The worker wants to hear of signals, which only the first thread may.
        import signal
        ignored = signal.signal
        signal.signal = lambda *words: None
        self._worker = threading.Thread(target=lambda: Worker(
            self._tiger, executor_class=SyncExecutor).run(once=True), daemon=True)
        self._worker.start()
        self.started.wait(20)
        signal.signal = ignored

    def release(self):
        self.end.set()
        self._worker.join()


class KombuMutex:
    """What lets one worker of Celery at a time restore unacknowledged messages."""

    package = "kombu"

    def acquire(self):
        from kombu.transport.redis import Mutex, MutexHeld
        while True:
            self._mutex = Mutex(redis_client(), "unacked_mutex", 300)
            try:
                self._mutex.__enter__()
                return {}
            except MutexHeld:
                time.sleep(0.05)

    def release(self):
        self._mutex.__exit__(None, None, None)


class RqSchedulerOfTheSide:
    """rq-scheduler, the package: which scheduler looks for jobs that are due."""

    package = "rq-scheduler"

    def __init__(self):
        from rq_scheduler import Scheduler
        self._scheduler = Scheduler(connection=redis_client(), interval=60)

    def acquire(self):
        until(self._scheduler.acquire_lock)

    def release(self):
        self._scheduler.remove_lock()


class SingleBeat:
    """single-beat keeps one process of a kind running: two programs, one of which has a child."""

    package = "single-beat"

    def acquire(self):
        host = f"app-{id(self) % 100000}"
        environment = {**os.environ, "SINGLE_BEAT_REDIS_SERVER": f"redis://127.0.0.1:{PORTS[0]}",
                       "SINGLE_BEAT_IDENTIFIER": "reports", "SINGLE_BEAT_HOST_IDENTIFIER": host,
                       "SINGLE_BEAT_LOCK_TIME": "60", "SINGLE_BEAT_HEARTBEAT_INTERVAL": "10"}
        self._process = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.argv = ['single-beat', 'sleep', '600']; from singlebeat.beat import main; main()"],
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        client = redis_client()
        until(lambda: f":{host}:".encode() in (client.get("SINGLE_BEAT_reports") or b""))

    def release(self):
        self._process.terminate()
        self._process.wait()


class Heimdall:
    """The lock of a task of celery-heimdall that may be queued once; the token is the id of the Celery task."""

    package = "celery-heimdall"

    def __init__(self):
        from celery_heimdall.config import Config  # noqa: F401  (proves that the package is there)

        class Task:
            heimdall_redis = redis_client()

            class heimdall_config:
                unique_lock_blocking = True
                unique_lock_timeout = 120

        self._task = Task

    def acquire(self):
        from celery_heimdall.task import acquire_lock
        token = str(uuid.uuid4())
        acquire_lock(self._task, "h-lock:reports.nightly", 60, task_id=token)
        return {"owner": token}

    def release(self):
        from celery_heimdall.task import release_lock
        release_lock(self._task, "h-lock:reports.nightly")


class Apscheduler:
    """A scheduler with its jobs in Redis: it takes no lock."""

    package = "APScheduler"

    def acquire(self):
        from apscheduler.schedulers.background import BackgroundScheduler
        self._scheduler = BackgroundScheduler()
        self._scheduler.add_jobstore("redis", host="127.0.0.1", port=PORTS[0])
        self._scheduler.start()
        self._scheduler.add_job(time.sleep, "interval", seconds=600, args=[1], id="reports")

    def release(self):
        self._scheduler.shutdown()


MODES = {"tasktiger-queue": TasktigerQueue, "tasktiger-task": TasktigerTask, "kombu-mutex": KombuMutex,
         "rq-scheduler-package": RqSchedulerOfTheSide, "single-beat": SingleBeat, "celery-heimdall": Heimdall,
         "apscheduler": Apscheduler}
