// redis-lock on node-redis 4. It tries every 50 ms and never gives up: the wait is ours, and a lock that comes too late is given back.
// It has no token: done() deletes the key unless its own clock says that the lease is over, and says then that it did nothing.
'use strict';
const { createClient } = require('redis');
const { LEASE_MS, URL, WAIT_MS, serve } = require('./dialogue');

class RedisLock {
  constructor(client) {
    this.lock = require('redis-lock')(client);
  }

  newLock(key) {
    return { key, done: null };
  }

  async acquire(holder) {
    let isTooLate = false;
    const taking = this.lock(holder.key, LEASE_MS).then((done) => {
      if (!isTooLate) return done;
      return done().catch((error) => console.error(String(error)));
    });
    let timer;
    const giveUp = new Promise((resolve) => { timer = setTimeout(resolve, WAIT_MS, null); });
    holder.done = await Promise.race([taking, giveUp]);
    clearTimeout(timer);
    isTooLate = !holder.done;
    return !isTooLate;
  }

  async release(holder) {
    const { done } = holder;
    holder.done = null;
    return Boolean(done) && (await done()) === 1;
  }
}

serve(async () => {
  const client = createClient({ url: URL });
  client.on('error', (error) => console.error(String(error)));
  await client.connect();
  return new RedisLock(client);
});
