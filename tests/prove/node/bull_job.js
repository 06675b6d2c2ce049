// Bull's lock of a job that is fetched by hand. Each lock is a queue (see one_job_queue.js), since a queue is an owner. Who finds no
// job listens for one for as long as an acquire may last. The queue's timer looks for stalled jobs; a queue that processes jobs by itself
// renews what it works on, one that does not leaves that to us.
'use strict';
const Bull = require('bull');
const { LEASE_MS, WAIT_MS, connected, serve, warmedUp } = require('./dialogue');
const { OneJobQueues, STALLED_INTERVAL_MS, jobOf, prefixOf } = require('./one_job_queue');

const SETTINGS = { lockDuration: LEASE_MS, stalledInterval: STALLED_INTERVAL_MS, drainDelay: WAIT_MS / 1000 };
const [WITH_ITS_LOCK, NO_OTHER_JOB] = [false, true];

class BullJobs extends OneJobQueues {
  constructor(clients) {
    super();
    this.clients = clients;
  }

  newLock(key) {
    const createClient = (type) => this.clients[type];
    const queue = new Bull('jobs', { prefix: prefixOf(key), settings: { ...SETTINGS }, skipVersionCheck: true, createClient });
    queue.startMoveUnlockedJobsToWait();
    return {
      queue,
      jobOptions: jobOf(key),
      add: (options) => queue.add({}, options),
      next: () => queue.getNextJob(),
      complete: (job) => job.moveToCompleted('done', WITH_ITS_LOCK, NO_OTHER_JOB),
      renew: (job) => job.extendLock(LEASE_MS),
    };
  }

  /** To close it would be to close the connections, too. */
  forget({ queue }) {
    clearInterval(queue.moveUnlockedJobsToWaitInterval);
  }
}

// It wants clients that try for ever.
const SERVER = { host: process.env.LOCKSCOPE_HOST, port: Number(process.env.LOCKSCOPE_PORT), maxRetriesPerRequest: null, enableReadyCheck: false };

serve(async () => warmedUp(new BullJobs({ client: await connected(SERVER), bclient: await connected(SERVER) })));
