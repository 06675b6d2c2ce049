// What the adapters of Bull and BullMQ share. Each lock is a queue of one job that is there once: who has it works on it, a release completes
// it, and whoever asks next adds it again. Nobody waits: a job that is worked on cannot be added. A lock has add(JOB), next(), which fetches
// the job or nothing, complete(job) and renew(job).
// A job counts as stalled the second time that it is seen without its lock. By default they look a lease apart; here twice in a lease, so that
// what has lapsed is free soon after.
'use strict';
const { LEASE_MS } = require('./dialogue');

const STALLED_INTERVAL_MS = LEASE_MS / 2;
const JOB = { jobId: 'only', removeOnComplete: true, removeOnFail: true };

class OneJobQueues {
  async acquire(lock) {
    await lock.add(JOB);
    lock.job = await lock.next();
    return Boolean(lock.job);
  }

  async release(lock) {
    const { job } = lock;
    lock.job = null;
    if (!job) return false;
    await lock.complete(job);
    return true;
  }

  async extend(lock) {
    return Boolean(lock.job) && Boolean(await lock.renew(lock.job));
  }

  /** The job, its lock, or the owner's token in it is not there any more. */
  notHeld(error) {
    return /^(Missing key|Missing lock|Lock mismatch) for job/.test(error.message);
  }
}

module.exports = { OneJobQueues, STALLED_INTERVAL_MS };
