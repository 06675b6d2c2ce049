// redlock-universal: createLock() on one server, createRedlock() on those that LOCKSCOPE_URLS names if there are several.
// It tries every 100 ms, on several servers every 200 ms; gives up a request after its adapter's 5 s; and sends a PING now and then.
'use strict';
const { IoredisAdapter, LockAcquisitionError, createLock, createRedlock } = require('redlock-universal');
const { LEASE_MS, URLS, WAIT_MS, connected, serve, warmedUp } = require('./dialogue');

const RETRY_DELAY_MS = URLS.length > 1 ? 200 : 100;

class RedlockUniversal {
  constructor(clients) {
    this.adapters = clients.map((client) => new IoredisAdapter(client));
  }

  newLock(key) {
    const settings = { key, ttl: LEASE_MS, retryAttempts: Math.floor(WAIT_MS / RETRY_DELAY_MS), retryDelay: RETRY_DELAY_MS };
    const { adapters } = this;
    const lock = adapters.length > 1 ? createRedlock({ adapters, ...settings }) : createLock({ adapter: adapters[0], ...settings });
    return { lock, handle: null };
  }

  async acquire(holder) {
    holder.handle = await holder.lock.acquire();
  }

  async release(holder) {
    const { handle } = holder;
    holder.handle = null;
    return Boolean(handle) && holder.lock.release(handle);
  }

  async extend(holder) {
    return Boolean(holder.handle) && holder.lock.extend(holder.handle, LEASE_MS);
  }

  notHeld(error) {
    return error instanceof LockAcquisitionError;
  }
}

serve(async () => warmedUp(new RedlockUniversal(await Promise.all(URLS.map(connected)))));
