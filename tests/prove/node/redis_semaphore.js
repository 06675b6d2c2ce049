// redis-semaphore's Mutex. It tries again every 10 ms and renews at 80 % of the lease.
// Options: retry=MS  between two attempts; refresh=MS  between two renewals, 0 for none
'use strict';
const { Mutex, TimeoutError } = require('redis-semaphore');
const { LEASE_MS, OPTIONS, PROCESS, URL, WAIT_MS, connected, serve } = require('./dialogue');

class RedisSemaphore {
  constructor(client) {
    this.client = client;
    this.times = { lockTimeout: LEASE_MS, acquireTimeout: WAIT_MS };
    if (OPTIONS.retry) this.times.retryInterval = Number(OPTIONS.retry);
    if (OPTIONS.refresh) this.times.refreshInterval = Number(OPTIONS.refresh);
  }

  newLock(key, tellLoss) {
    return new Mutex(this.client, key, { ...this.times, onLockLost: () => tellLoss(key) });
  }

  async acquire(mutex) {
    await mutex.acquire();
  }

  async release(mutex) {
    const wasAcquired = mutex.isAcquired;
    await mutex.release();
    return wasAcquired;
  }

  held(mutex) {
    return mutex.isAcquired;
  }

  forget(mutex) {
    mutex.stopRefresh();
  }

  notHeld(error) {
    return error instanceof TimeoutError;
  }

  /** Every script once, so that its first run takes as many messages as every other. */
  async warmUp() {
    const mutex = this.newLock(`warm-up-${PROCESS}`, () => {});
    await mutex.acquire();
    await mutex._refresh();
    await mutex.release();
  }
}

serve(async () => {
  const adapter = new RedisSemaphore(await connected(URL));
  await adapter.warmUp();
  return adapter;
});
