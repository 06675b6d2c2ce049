// The scheduler of node-resque that leads; each key is a namespace. It looks again, and renews, every 5 s unless told otherwise, here every
// second, and never gives up: the wait is ours. The lease is whole seconds. A loss shows in `leader` alone, and who has lost stands again: if
// it leads once more unasked, that tells of the loss, and we end it. end() takes or renews the lock before it deletes it.
'use strict';
const { Scheduler } = require('node-resque');
const { LEASE_MS, PROCESS, URL, connected, serve } = require('./dialogue');
const { comesInTime } = require('./in_time');

const SETTINGS = { timeout: 1000, leaderLockTimeout: Math.ceil(LEASE_MS / 1000), stuckWorkerTimeout: false };
const report = (error) => console.error(String(error));

class ResqueSchedulers {
  constructor(redis) {
    Object.assign(this, { redis, count: 0 });
  }

  newLock(key, tellLoss) {
    return { key, tellLoss, scheduler: null };
  }

  async acquire(holder) {
    await this.release(holder); // of one that lost its lead
    const scheduler = holder.scheduler = await this.started(holder.key);
    const leads = comesInTime(scheduler, 'leader');
    scheduler.poll().catch(report);
    if (!await leads) return this.release(holder);
    scheduler.on('leader', () => {
      holder.tellLoss(holder.key);
      this.release(holder).catch(report);
    });
    return true;
  }

  async started(namespace) {
    const mine = { connection: { redis: this.redis, namespace }, name: `${PROCESS}:${process.pid}+${++this.count}` };
    const scheduler = new Scheduler({ ...SETTINGS, ...mine }).on('error', report);
    await scheduler.connect();
    await scheduler.start();
    return scheduler;
  }

  /** Whether it led until then. */
  async release(holder) {
    const { scheduler } = holder;
    holder.scheduler = null;
    const wasLeading = Boolean(scheduler?.leader);
    await scheduler?.end();
    return wasLeading && !scheduler.leader;
  }

  held({ scheduler }) {
    return Boolean(scheduler?.leader);
  }

  forget(holder) {
    this.release(holder).catch(report);
  }
}

serve(async () => new ResqueSchedulers(await connected(URL)));
