// redis-leader, by which one of several processes leads. It renews every half of the lease, and tells by events that it leads or does so no more.
// A candidate tries every second and never gives up: the wait is ours. One that was revoked stands again unasked, unless it is stopped.
// Of stop() nothing is heard but "revoked", if it deleted the key. isLeader() asks the server: there is no `held`.
'use strict';
const Leader = require('redis-leader');
const { LEASE_MS, URL, connected, serve } = require('./dialogue');
const { comesInTime } = require('./in_time');

const report = (error) => console.error(String(error));

class RedisLeader {
  constructor(redis) {
    this.redis = redis;
  }

  newLock(key, tellLoss) {
    const holder = { isLeading: false, isForgotten: false, stopping: null };
    // stop() does not end all its timers, and those of a forgotten one must not disturb what comes next.
    const line = new Proxy(this.redis, { get: (redis, command) => (...words) => !holder.isForgotten && redis[command](...words) });
    holder.leader = Object.assign(new Leader(line, { ttl: LEASE_MS }), { key: `leader:${key}` }); // otherwise a hash of the name
    holder.leader.on('error', report).on('revoked', () => {
      if (!holder.isLeading) return;
      tellLoss(key);
      holder.stopping = this.release(holder).catch(report);
    });
    return holder;
  }

  async acquire(holder) {
    await holder.stopping;
    const elected = comesInTime(holder.leader, 'elected');
    holder.leader.elect();
    holder.isLeading = await elected;
    return holder.isLeading || this.stop(holder.leader).then(() => false);
  }

  async release(holder) {
    const { isLeading, leader } = holder;
    holder.isLeading = false;
    return isLeading && this.stop(leader);
  }

  /** What is asked next is answered after what stop() asks, which by then has sent its DEL or never will. */
  stop(leader) {
    return new Promise((resolve, reject) => {
      leader.stop();
      leader.once('error', reject).isLeader((error, isLeader) => {
        leader.once('revoked', () => resolve(true));
        if (!isLeader) error ? reject(error) : resolve(false);
      });
    });
  }

  forget(holder) {
    holder.isForgotten = true;
    clearInterval(holder.leader.renewId);
  }
}

serve(async () => new RedisLeader(await connected(URL)));
