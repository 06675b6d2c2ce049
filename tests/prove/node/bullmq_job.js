// BullMQ's lock of a job that is fetched by hand. Each lock is a queue (see one_job_queue.js). The worker's timer
// looks for stalled jobs; a worker that runs renews what it works on, one that does not leaves that to us.
'use strict';
const { Queue, Worker } = require('bullmq');
const { LEASE_MS, PROCESS, connected, serve, warmedUp } = require('./dialogue');
const { OneJobQueues, STALLED_INTERVAL_MS, jobOf, prefixOf } = require('./one_job_queue');

class BullmqJobs extends OneJobQueues {
  constructor(connection) {
    super();
    Object.assign(this, { connection, count: 0 });
  }

  newLock(key) {
    const options = { connection: this.connection, prefix: prefixOf(key) };
    const queue = new Queue('jobs', options);
    const worker = new Worker('jobs', null, { ...options, lockDuration: LEASE_MS, stalledInterval: STALLED_INTERVAL_MS });
    for (const part of [queue, worker]) part.on('error', (error) => console.error(String(error)));
    worker.startStalledCheckTimer();
    const token = `${PROCESS}-${++this.count}`;
    return {
      parts: [worker, queue],
      jobOptions: jobOf(key),
      add: (options) => queue.add('work', {}, options),
      next: () => worker.getNextJob(token, { block: false }),
      complete: (job) => job.moveToCompleted('done', token, false),
      renew: (job) => job.extendLock(token, LEASE_MS),
    };
  }

  forget({ parts }) {
    for (const part of parts) part.close(true).catch(() => {});
  }
}

// It wants a client that tries for ever.
const SERVER = { host: process.env.LOCKSCOPE_HOST, port: Number(process.env.LOCKSCOPE_PORT), maxRetriesPerRequest: null };

serve(async () => warmedUp(new BullmqJobs(await connected(SERVER))));
