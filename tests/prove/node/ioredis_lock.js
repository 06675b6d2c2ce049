// @microfleet/ioredis-lock. It tries every 50 ms and up to a fifth longer; here always 50 ms, so that a run can be repeated.
// Its error classes also wrap a lost connection: which of them mean "not held" only their text tells.
'use strict';
const { LEASE_MS, URL, WAIT_MS, connected, serve, warmedUp } = require('./dialogue');

const RETRY_DELAY_MS = 50;

class IoredisLock {
  constructor(library, client) {
    this.library = library;
    this.client = client;
  }

  newLock(key) {
    const retries = Math.floor(WAIT_MS / RETRY_DELAY_MS);
    return { key, lock: this.library.createLock(this.client, { timeout: LEASE_MS, retries, delay: RETRY_DELAY_MS, jitter: 1 }) };
  }

  async acquire(holder) {
    await holder.lock.acquire(holder.key);
  }

  async release(holder) {
    await holder.lock.release();
  }

  async extend(holder) {
    await holder.lock.extend(LEASE_MS);
  }

  held(holder) {
    return this.library.getAcquiredLocks().includes(holder.lock);
  }

  notHeld(error) {
    return /^Could not acquire lock|had expired$|has not been acquired$/.test(error.message);
  }
}

serve(async () => {
  const library = await import(require.resolve('@microfleet/ioredis-lock'));
  return warmedUp(new IoredisLock(library, await connected(URL)));
});
