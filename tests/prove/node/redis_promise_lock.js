// redis-promise-lock on node-redis 4. It tries every 100 ms, and gives the lease, in whole seconds, with a second command.
// It has no token: releaseLock() deletes the key whoever has it. A program calls it only for what acquireLock() gave it, and so do we.
'use strict';
const { createClient } = require('redis');
const { Lock } = require('redis-promise-lock');
const { LEASE_MS, URL, WAIT_MS, serve } = require('./dialogue');

const RETRY_DELAY_MS = 100;

class RedisPromiseLock {
  constructor(client) {
    const retryLimit = Math.max(1, Math.floor(WAIT_MS / RETRY_DELAY_MS));
    this.locks = new Lock(client, { ttl: Math.ceil(LEASE_MS / 1000), retryLimit, retryDelay: RETRY_DELAY_MS });
  }

  newLock(key) {
    return { key, isAcquired: false };
  }

  async acquire(holder) {
    holder.isAcquired = await this.locks.acquireLock(holder.key);
    return holder.isAcquired;
  }

  async release(holder) {
    const { isAcquired } = holder;
    holder.isAcquired = false;
    if (isAcquired) await this.locks.releaseLock(holder.key);
    return isAcquired;
  }
}

serve(async () => {
  const client = createClient({ url: URL });
  client.on('error', (error) => console.error(String(error)));
  await client.connect();
  return new RedisPromiseLock(client);
});
