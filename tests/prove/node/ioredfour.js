// ioredfour. Waiters listen for releases and try again when the lease that they were told of is over.
// A release of what is no longer there counts as a success for the library; "expired" is a no here.
// Options: replications=N  do not consider the lock owned until so many replicas have it
'use strict';
const Lock = require('ioredfour');
const { LEASE_MS, OPTIONS, PROCESS, URL, WAIT_MS, connected, serve } = require('./dialogue');

class Ioredfour {
  constructor(redis) {
    this.locks = new Lock({ redis, namespace: 'lock', minReplications: Number(OPTIONS.replications ?? 0) });
  }

  newLock(key) {
    return { key, lock: null };
  }

  async acquire(holder) {
    const lock = await this.locks.waitAcquireLock(holder.key, LEASE_MS, WAIT_MS);
    holder.lock = lock.success ? lock : null;
    return lock.success;
  }

  async release(holder) {
    const { lock } = holder;
    holder.lock = null;
    return Boolean(lock) && (await this.locks.releaseLock(lock)).result === 'released';
  }

  async extend(holder) {
    return Boolean(holder.lock) && (await this.locks.extendLock(holder.lock, LEASE_MS)).success;
  }

  /** Every script once, so that its first run takes as many messages as every other; a waiter shows that the messages come. */
  async warmUp() {
    const [holder, waiter] = [this.newLock(`warm-up-${PROCESS}`), this.newLock(`warm-up-${PROCESS}`)];
    await this.acquire(holder);
    await this.extend(holder);
    const waiting = this.acquire(waiter);
    await this.release(holder);
    await waiting;
    await this.release(waiter);
  }
}

serve(async () => {
  const adapter = new Ioredfour(await connected(URL));
  await adapter.warmUp();
  return adapter;
});
