// What the adapters of Bull and BullMQ share. Each lock is a queue of one job that is there once: who has it works on it, a release completes
// it, and whoever asks next adds it again. Nobody waits: a job that is worked on cannot be added. A lock has add(options), next(), which fetches
// the job or nothing, complete(job) and renew(job). The job alone is called after the lock: the queue has keys that end beside it, which are no
// locks, such as the one that says who looked for stalled jobs.
// A job counts as stalled the second time that it is seen without its lock. By default they look a lease apart; here twice in a lease, so that
// what has lapsed is free soon after.
'use strict';
const crypto = require('crypto');
const { LEASE_MS } = require('./dialogue');

const STALLED_INTERVAL_MS = LEASE_MS / 2;

const prefixOf = (key) => crypto.createHash('sha1').update(key).digest('hex').slice(0, 12);

/** BullMQ takes ids of one part or of three. */
const jobOf = (key) => ({ jobId: key.includes(':') ? `job:${key}` : key, removeOnComplete: true, removeOnFail: true });

class OneJobQueues {
  async acquire(lock) {
    await lock.add(lock.jobOptions);
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

module.exports = { OneJobQueues, STALLED_INTERVAL_MS, jobOf, prefixOf };
