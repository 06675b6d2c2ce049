// node-redlock 5 and its fork @sesamecare-oss/redlock, on as many servers as LOCKSCOPE_URLS names.
// The library waits 200 ms and up to 100 ms more between attempts; here always 200 ms, so that a run can be repeated.
// Options: package=NAME  which of the two (redlock); held=expiration  also tell whether the lock's expiration is yet to come
'use strict';
const { LEASE_MS, OPTIONS, URLS, WAIT_MS, connected, serve, warmedUp } = require('./dialogue');

const RETRY_DELAY_MS = 200;
const library = require(OPTIONS.package ?? 'redlock');
const Redlock = library.Redlock ?? library.default;

class NodeRedlock {
  constructor(clients) {
    const retryCount = Math.floor(WAIT_MS / RETRY_DELAY_MS);
    this.redlock = new Redlock(clients, { retryCount, retryDelay: RETRY_DELAY_MS, retryJitter: 0 });
    this.redlock.on('error', (error) => console.error(String(error)));
    if (OPTIONS.held === 'expiration') this.held = (holder) => Boolean(holder.lock) && holder.lock.expiration > Date.now();
  }

  newLock(key) {
    return { key, lock: null };
  }

  async acquire(holder) {
    holder.lock = await this.redlock.acquire([holder.key], LEASE_MS);
  }

  async release(holder) {
    const { lock } = holder;
    holder.lock = null;
    if (!lock) return false;
    await lock.release();
    return true;
  }

  async extend(holder) {
    if (!holder.lock) return false;
    holder.lock = await holder.lock.extend(LEASE_MS);
    return true;
  }

  notHeld(error) {
    return error instanceof library.ExecutionError;
  }
}

serve(async () => warmedUp(new NodeRedlock(await Promise.all(URLS.map(connected)))));
