// node-redis-warlock on node-redis 3. Its lock() tries once; we try every 50 ms, because optimistic() does not tell the id that touch() needs.
'use strict';
const { promisify } = require('util');
const { LEASE_MS, URL, WAIT_MS, serve, warmedUp } = require('./dialogue');

const RETRY_DELAY_MS = 50;
const sleep = promisify(setTimeout);

class Warlock {
  constructor(client) {
    this.warlock = require('node-redis-warlock')(client);
  }

  newLock(key) {
    return { key, id: null, unlock: null };
  }

  async acquire(holder) {
    for (let waited = 0; ; waited += RETRY_DELAY_MS) {
      await this.attempt(holder);
      if (holder.unlock || waited >= WAIT_MS) return Boolean(holder.unlock);
      await sleep(RETRY_DELAY_MS);
    }
  }

  attempt(holder) {
    return new Promise((resolve, reject) => {
      this.warlock.lock(holder.key, LEASE_MS, (error, unlock, id) => {
        Object.assign(holder, { id, unlock: unlock || null });
        error ? reject(error) : resolve();
      });
    });
  }

  async release(holder) {
    const { unlock } = holder;
    holder.unlock = null;
    return Boolean(unlock) && (await promisify(unlock)()) === 1;
  }

  async extend(holder) {
    return Boolean(holder.unlock) && (await this.warlock.touch(holder.key, holder.id, LEASE_MS)) === 'OK';
  }
}

serve(async () => {
  const client = require('redis').createClient(URL);
  client.on('error', (error) => console.error(String(error)));
  return warmedUp(new Warlock(client));
});
