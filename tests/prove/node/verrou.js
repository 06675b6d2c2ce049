// @verrou/core on ioredis. It tries every 250 ms, for ever unless told otherwise. Its scripts are sent in full each time.
// isLocked() asks the server whether anybody has the lock, and no call tells whether it is still ours: there is no `held`.
'use strict';
const { LEASE_MS, URL, WAIT_MS, connected, serve } = require('./dialogue');

/** An ECMAScript module, which is not found by way of NODE_PATH. */
const modern = (name) => import(require.resolve(name));

class VerrouLocks {
  constructor(locks) {
    this.locks = locks;
  }

  newLock(key) {
    return this.locks.createLock(key, LEASE_MS);
  }

  acquire(lock) {
    return lock.acquire({ retry: { timeout: WAIT_MS } });
  }

  release(lock) {
    return lock.release();
  }

  extend(lock) {
    return lock.extend();
  }

  notHeld(error) {
    return error.code === 'E_LOCK_NOT_OWNED';
  }
}

serve(async () => {
  const [{ Verrou }, { redisStore }] = [await modern('@verrou/core'), await modern('@verrou/core/drivers/redis')];
  const driver = redisStore({ connection: await connected(URL) });
  return new VerrouLocks(new Verrou({ default: 'redis', stores: { redis: { driver } } }));
});
