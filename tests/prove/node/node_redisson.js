// node-redisson, whose watchdog renews every third of the lease. Waiters listen for releases; one that hears nothing until the lease
// that it was told of is over gives up, also if it wanted to wait longer.
// Options: lease=fixed  a lease without a watchdog
'use strict';
const { Redisson } = require('node-redisson');
const { LEASE_MS, OPTIONS, URL, WAIT_MS, serve, warmedUp } = require('./dialogue');

const WITH_WATCHDOG = true;

class NodeRedisson {
  constructor(redisson) {
    this.redisson = redisson;
    this.lease = OPTIONS.lease === 'fixed' ? LEASE_MS : WITH_WATCHDOG;
  }

  newLock(key) {
    return this.redisson.getLock(key);
  }

  acquire(lock) {
    return lock.tryLock(WAIT_MS, this.lease);
  }

  release(lock) {
    return lock.unlock();
  }

  forget(lock) {
    lock.cancelExpirationRenewal(true);
  }

  notHeld(error) {
    return error.message.startsWith('attempt to unlock lock, not locked by current client');
  }
}

serve(async () => {
  const { hostname, port } = new globalThis.URL(URL);
  const redis = { options: { host: hostname, port: Number(port) } };
  return warmedUp(new NodeRedisson(new Redisson({ redis, lockWatchdogTimeout: BigInt(LEASE_MS) })));
});
