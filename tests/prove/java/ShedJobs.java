import net.javacrumbs.shedlock.core.SimpleLock;

/** ShedLock's locks, of all its times. A job that finds the lock taken is left out: nobody waits. */
abstract class ShedJobs extends Dialogue.Adapter<ShedJobs.Job> {
    /** The lock of the job's last run, until it is given back or could not be extended: from then on nothing may be called on it. */
    static final class Job {
        final String name;
        SimpleLock lock;

        Job(String name) {
            this.name = name;
        }
    }

    @Override Job newLock(String key) {
        return new Job(key);
    }

    @Override boolean release(Job job) {
        if (job.lock == null) {
            return false;
        }
        job.lock.unlock();
        job.lock = null;
        return true;
    }
}
