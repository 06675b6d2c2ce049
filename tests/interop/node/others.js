// More lock libraries, and queues with locks of their own. See driver.js.
'use strict';
const path = require('path');
const { NAME, ioredis, options, packageFolder, ports, until } = require('./shared');

const address = { host: '127.0.0.1', port: Number(ports[0]) };

/** An ECMAScript module, which is not found by way of NODE_PATH. */
const modern = (name, file) => import(path.join(packageFolder(name), file));

/** A fork of redlock 5. */
function sesamecare() {
  const { Redlock } = require('@sesamecare-oss/redlock');
  const manager = new Redlock(ports.map((port) => ioredis(port)));
  manager.on('error', () => {});
  let lock;
  return {
    async acquire() {
      lock = await manager.acquire([NAME], 30000, { retryCount: -1, retryDelay: 100, retryJitter: 20 });
      return { owner: lock.value };
    },
    release: () => lock.release(),
  };
}

function warlock() {
  const client = require('redis3').createClient(address);
  const locks = require('node-redis-warlock')(client);
  let unlock;
  return {
    acquire: () => new Promise((resolve, reject) => {
      const attempt = () => locks.lock('orders:42', 60000, (problem, release, id) => {
        if (problem) return reject(problem);
        if (!release) return setTimeout(attempt, 50);
        unlock = release;
        return resolve({ owner: id });
      });
      attempt();
    }),
    release: () => new Promise((resolve, reject) => unlock((problem, count) => {
      if (problem || count === 0) reject(problem || new Error('unlock() removed nothing'));
      else resolve({});
    })),
  };
}

/** ioredis-lock, which Microfleet maintains. */
async function ioredisLock() {
  const { createLock } = await modern('@microfleet/ioredis-lock', 'lib/redislock.js');
  const lock = createLock(ioredis(), { timeout: 60000, retries: 2000, delay: 50 });
  return {
    async acquire() {
      await lock.acquire(NAME);
      return { owner: lock._id };
    },
    release: () => lock.release(),
  };
}

/** Its waiters listen for the name of the lock on the channel of its namespace. */
function ioredfour() {
  const Lock = require('ioredfour');
  const locks = new Lock({ redis: ioredis(), namespace: 'lock' });
  let lock;
  return {
    async acquire() {
      lock = await locks.waitAcquireLock('orders:42', options.ttl || 60000, 120000);
      if (!lock.success) throw new Error('not acquired');
      return { owner: String(lock.index) };
    },
    async release() {
      const { success, result } = await locks.releaseLock(lock);
      if (!success) throw new Error(`releaseLock(): ${result}`);
    },
  };
}

async function redisPromiseLock() {
  const client = require('redis4').createClient({ url: `redis://127.0.0.1:${ports[0]}` });
  await client.connect();
  const { Lock } = require('redis-promise-lock');
  const locks = new Lock(client, { ttl: 60, retryLimit: 2000, retryDelay: 50 });
  return {
    async acquire() {
      if (!await locks.acquireLock('orders:42')) throw new Error('acquireLock() returned false');
    },
    release: () => locks.releaseLock('orders:42'),
  };
}

/** Which of several processes leads; the package cron-cluster is built on it. */
function redisLeader() {
  const Leader = require('redis-leader');
  const leader = new Leader(ioredis(), { ttl: 6000, wait: 100, key: 'reports' });
  return {
    acquire: () => new Promise((resolve, reject) => {
      leader.on('error', reject);
      leader.on('elected', () => resolve({ owner: leader.id }));
      leader.elect();
    }),
    release: () => leader.stop(),
  };
}

/** Redisson's lock for Node: the owner is a client of a client. */
function nodeRedisson() {
  const { Redisson } = require('node-redisson');
  const redisson = new Redisson({ redis: { options: address }, lockWatchdogTimeout: BigInt(30000) });
  const lock = redisson.getLock(NAME);
  return {
    async acquire() {
      await lock.lock();
      return { owner: lock.getClientName(lock.clientId) };
    },
    reenter: () => lock.lock(),
    release: () => lock.unlock(),
  };
}

async function verrou() {
  const { Verrou } = await modern('@verrou/core', 'build/index.js');
  const { redisStore } = await modern('@verrou/core', 'build/src/drivers/redis.js');
  const locks = new Verrou({ default: 'redis', stores: { redis: { driver: redisStore({ connection: ioredis() }) } } });
  const lock = locks.createLock(NAME, 60000);
  return {
    async acquire() {
      if (!await lock.acquire({ retry: { attempts: 2000, delay: 50 } })) throw new Error('acquire() returned false');
    },
    release: () => lock.release(),
  };
}

async function redisKitLock() {
  const { createClient } = require('redis4');
  const client = createClient({ url: `redis://127.0.0.1:${ports[0]}` });
  await client.connect();
  const { Redlock } = require('@redis-kit/lock');
  const manager = new Redlock([client], { maxRetryAttempts: 1000, retryDelayMs: 100, retryJitterMs: 10 });
  let lock;
  return {
    async acquire() {
      lock = await manager.acquire(NAME, 60000);
      return { owner: lock.token || lock.value };
    },
    async release() {
      if (await lock.release() === false) throw new Error('release() returned false');
    },
  };
}

/** node-resque: the scheduler that leads, or the lock of a job that may run once. */
function resque() {
  const { Scheduler } = require('node-resque');
  const scheduler = new Scheduler({ connection: { redis: ioredis() }, timeout: 60000 });
  scheduler.options.name = `app-1:${process.pid}+${resque.count = (resque.count || 0) + 1}`;
  scheduler.on('error', () => {});
  return {
    async acquire() {
      await scheduler.connect();
      await until(() => scheduler.tryForLeader());
      return { owner: scheduler.options.name };
    },
    async release() {
      if (!await scheduler.releaseLeaderLock()) throw new Error('releaseLeaderLock() returned false');
    },
  };
}

function resqueJob() {
  const { Plugins, Queue } = require('node-resque');
  let plugin;
  return {
    async acquire() {
      const queue = new Queue({ connection: { redis: ioredis() } }, {});
      await queue.connect();
      const job = { plugins: [], pluginOptions: { JobLock: { reEnqueue: false } } };
      plugin = new Plugins.JobLock(queue, 'report', 'default', job, [42], {});
      plugin.worker = queue;
      await until(() => plugin.beforePerform());
    },
    release: () => plugin.afterPerform(),
  };
}

/** A queue whose keys are no locks, whatever they are called. */
function beeQueue() {
  const Queue = require('bee-queue');
  const queue = new Queue('mail', { redis: address, stallInterval: 60000 });
  return {
    acquire: () => new Promise((resolve) => {
      queue.process(() => { resolve({}); return new Promise(() => {}); });
      queue.createJob({ to: 'ada' }).save();
    }),
  };
}

module.exports = {
  sesamecare: ['@sesamecare-oss/redlock', sesamecare],
  warlock: ['node-redis-warlock', warlock],
  'ioredis-lock': ['@microfleet/ioredis-lock', ioredisLock],
  ioredfour: ['ioredfour', ioredfour],
  'redis-promise-lock': ['redis-promise-lock', redisPromiseLock],
  'redis-leader': ['redis-leader', redisLeader],
  'node-redisson': ['node-redisson', nodeRedisson],
  verrou: ['@verrou/core', verrou],
  'redis-kit-lock': ['@redis-kit/lock', redisKitLock],
  'resque-leader': ['node-resque', resque],
  'resque-job': ['node-resque', resqueJob],
  'bee-queue': ['bee-queue', beeQueue],
};
