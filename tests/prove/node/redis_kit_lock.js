// @redis-kit/lock on node-redis 5, on as many servers as LOCKSCOPE_URLS names. Its scripts are sent in full each time.
// The library waits 200 ms and up to 100 ms more between attempts; here always 200 ms, so that a run can be repeated.
// Options: renew=MS  have the lock extended by itself, so long before its end
'use strict';
const { createClient } = require('redis');
const { Redlock } = require('@redis-kit/lock');
const { LEASE_MS, OPTIONS, URLS, WAIT_MS, serve } = require('./dialogue');

const RETRY_DELAY_MS = 200;

class RedisKitLock {
  constructor(clients) {
    const maxRetryAttempts = Math.floor(WAIT_MS / RETRY_DELAY_MS);
    this.redlock = new Redlock(clients, { maxRetryAttempts, retryDelayMs: RETRY_DELAY_MS, retryJitterMs: 0 });
  }

  newLock(key) {
    return { key, lock: null };
  }

  async acquire(holder) {
    holder.lock = await this.redlock.acquire(holder.key, LEASE_MS);
    if (holder.lock && OPTIONS.renew) holder.lock.startAutoExtension(Number(OPTIONS.renew));
    return Boolean(holder.lock);
  }

  async release(holder) {
    const { lock } = holder;
    holder.lock = null;
    return Boolean(lock) && lock.release();
  }

  async extend(holder) {
    return Boolean(holder.lock) && holder.lock.extend();
  }

  held(holder) {
    return Boolean(holder.lock) && holder.lock.isValid;
  }

  forget(holder) {
    if (holder.lock) holder.lock.stopAutoExtension();
  }
}

async function nodeRedis(url) {
  const client = createClient({ url });
  client.on('error', (error) => console.error(String(error)));
  await client.connect();
  return client;
}

serve(async () => new RedisKitLock(await Promise.all(URLS.map(nodeRedis))));
