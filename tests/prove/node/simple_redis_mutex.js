// simple-redis-mutex on node-redis 5. Waiters listen for releases, and also try every 10 s, a third of the usual lease: here a third of ours.
// An end of the wait is told by an error without a class.
// Neither release() nor refreshTimeout() tells whether the lock was still there.
// Options: polling=MS  between two attempts; extend=refresh  renew with refreshTimeout(), after which a program goes on, for it hears nothing else
'use strict';
const { createClient } = require('redis');
const { lock } = require('simple-redis-mutex');
const { LEASE_MS, OPTIONS, URL, WAIT_MS, serve, warmedUp } = require('./dialogue');

class SimpleRedisMutex {
  constructor(client) {
    this.client = client;
    this.times = { timeout: LEASE_MS, failAfter: WAIT_MS, pollingInterval: Number(OPTIONS.polling ?? Math.ceil(LEASE_MS / 3)) };
    if (OPTIONS.extend === 'refresh') this.extend = (holder) => (holder.release ? holder.release.refreshTimeout() : false);
  }

  newLock(key) {
    return { key, release: null };
  }

  async acquire(holder) {
    holder.release = await lock(this.client, holder.key, this.times);
  }

  async release(holder) {
    const { release } = holder;
    holder.release = null;
    if (!release) return false;
    await release();
    return true;
  }

  notHeld(error) {
    return /could not be acquired after/.test(error.message);
  }
}

serve(async () => {
  const client = createClient({ url: URL });
  client.on('error', (error) => console.error(String(error)));
  await client.connect();
  return warmedUp(new SimpleRedisMutex(client));
});
