// node-redis-warlock on node-redis 3. Its lock() tries once; we try every 50 ms, because optimistic() does not tell the id that touch() needs.
'use strict';
const { promisify } = require('util');
const { LEASE_MS, PROCESS, URL, WAIT_MS, serve } = require('./dialogue');

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

  /** Every script once, so that its first run takes as many messages as every other. */
  async warmUp() {
    const holder = this.newLock(`warm-up-${PROCESS}`);
    await this.acquire(holder);
    await this.extend(holder);
    await this.release(holder);
  }
}

serve(async () => {
  const client = require('redis').createClient(URL);
  client.on('error', (error) => console.error(String(error)));
  const adapter = new Warlock(client);
  await adapter.warmUp();
  return adapter;
});
