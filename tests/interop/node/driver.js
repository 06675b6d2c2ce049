// Drives the Node lock libraries for tests/interop/run.py: driver.js MODE OPTIONS PORT...
// One function per mode: it makes a client, whose methods are the orders; what they return is the answer. See suite/driver.py.
'use strict';
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const { NAME, ioredis, mode, options, packageFolder, ports, sleep } = require('./shared');
const others = require('./others');

const say = (message) => process.stdout.write(JSON.stringify(message) + '\n');

const patient = { retryCount: -1, retryDelay: 100, retryJitter: 20 };

// How a library tells its holder that the lock is lost, besides at the release.
const heard = [];
process.on('unhandledRejection', (problem) => heard.push(String(problem)));
process.on('uncaughtException', (problem) => heard.push(String(problem)));

function redlock4() {
  const Redlock = require('redlock4');
  const manager = new Redlock(ports.map((port) => ioredis(port)), patient);
  let lock;
  return {
    async acquire() {
      lock = await manager.lock(options.names || NAME, options.ttl || 30000);
      return { owner: lock.value };
    },
    release: () => lock.unlock(),
  };
}

function redlock5() {
  const Redlock = require('redlock5').default;
  // Only the acquisition is patient: version 5 repeats a release that fails as often as an acquisition.
  const manager = new Redlock(ports.map((port) => ioredis(port)));
  manager.on('error', () => {});
  let lock;
  return {
    async acquire() {
      lock = await manager.acquire(options.names || [NAME], options.ttl || 30000, patient);
      return { owner: lock.value };
    },
    release: () => lock.release(),
  };
}

/** using(): extends the lock by itself for as long as the routine runs. */
function redlock5Using() {
  const Redlock = require('redlock5').default;
  const manager = new Redlock(ports.map((port) => ioredis(port)));
  manager.on('error', () => {});
  let end, used, lost;
  return {
    acquire: () => new Promise((resolve, reject) => {
      used = manager.using([NAME], options.ttl || 4000, { ...patient, automaticExtensionThreshold: 1500 }, async (signal) => {
        signal.onabort = () => { lost = signal.error; };
        resolve({});
        await new Promise((finish) => { end = finish; });
        if (signal.aborted) throw signal.error;
      });
      used.catch(reject);
    }),
    async release() {
      end();
      await used;
      if (lost) throw lost;
    },
  };
}

function swarthy(kind) {
  const library = require('redis-semaphore');
  const clients = ports.map((port) => ioredis(port));
  const timeouts = {
    acquireTimeout: 120000, retryInterval: 10, lockTimeout: options.lockTimeout || 10000,
    onLockLost: (problem) => heard.push(String(problem)),
  };
  const lock = {
    Mutex: () => new library.Mutex(clients[0], 'orders:42', timeouts),
    RedlockMutex: () => new library.RedlockMutex(clients, 'orders:42', timeouts),
    Semaphore: () => new library.Semaphore(clients[0], 'orders:42', options.limit || 1, timeouts),
    RedlockSemaphore: () => new library.RedlockSemaphore(clients, 'orders:42', options.limit || 1, timeouts),
    MultiSemaphore: () => new library.MultiSemaphore(clients[0], 'orders:42', options.limit || 3, options.permits || 2, timeouts),
  }[kind]();
  return {
    async acquire() {
      await lock.acquire();
      // A permit of a multi-semaphore has a member of its own; the first names the holder.
      return { owner: kind === 'MultiSemaphore' ? undefined : lock.identifier };
    },
    release: () => lock.release(),
    // It hears of the loss when it renews next.
    async notice() {
      while (heard.length === 0) await sleep(20);
      return { said: heard.join('; ') };
    },
  };
}

/** A worker that runs one job for as long as it is told to. */
function bullmq() {
  const { Queue, Worker } = require('bullmq');
  const connection = { host: '127.0.0.1', port: Number(ports[0]), maxRetriesPerRequest: null };
  let end, finished, worker;
  return {
    acquire: () => new Promise((resolve) => {
      finished = new Promise((done) => {
        worker = new Worker('mail', async (job, token) => {
          resolve({ owner: token });
          await new Promise((stop) => { end = stop; });
        }, { connection, lockDuration: options.lockDuration || 30000, stalledInterval: options.stalledInterval || 30000 });
        worker.on('completed', () => done(null));
        worker.on('failed', (job, problem) => done(problem));
        worker.on('error', (problem) => done(problem));
      });
      if (options.enqueue !== false && !bullmq.enqueued) {
        bullmq.enqueued = true;
        new Queue('mail', { connection }).add('welcome', {}, { jobId: 'welcome-42' });
      }
    }),
    async release() {
      end();
      const problem = await finished;
      if (problem) throw problem;
    },
  };
}

function bull() {
  const Bull = require('bull');
  const queue = new Bull('mail', { redis: { host: '127.0.0.1', port: Number(ports[0]) },
    settings: { lockDuration: options.lockDuration || 30000, stalledInterval: options.stalledInterval || 30000 } });
  let end, finished;
  queue.on('error', () => {});
  return {
    acquire: () => new Promise((resolve) => {
      finished = new Promise((done) => {
        queue.on('completed', () => done(null));
        queue.on('error', (problem) => done(problem));
      });
      queue.process(async () => {
        resolve({ owner: queue.token });
        await new Promise((stop) => { end = stop; });
      });
      if (!bull.enqueued) {
        bull.enqueued = true;
        queue.add({}, { jobId: 'welcome-42' });
      }
    }),
    async release() {
      end();
      const problem = await finished;
      if (problem) throw problem;
    },
  };
}

/** errorception's redis-lock, which wants node-redis 4. */
async function redisLock() {
  const client = require('redis4').createClient({ url: `redis://127.0.0.1:${ports[0]}` });
  await client.connect();
  const lock = require('redis-lock')(client);
  let unlock;
  return {
    async acquire() { unlock = await lock('orders:42', 30000); },
    release: () => unlock(),
  };
}

async function simpleRedisMutex() {
  const client = require('redis4').createClient({ url: `redis://127.0.0.1:${ports[0]}` });
  await client.connect();
  const { lock } = await import(path.join(packageFolder('simple-redis-mutex'), 'dist/index.js'));
  let release;
  return {
    async acquire() { release = await lock(client, NAME, { timeout: 30000 }); },
    async release() { await release(); },
  };
}

function redlockUniversal() {
  const { createLock, IoredisAdapter } = require('redlock-universal');
  const lock = createLock({ adapter: new IoredisAdapter(ioredis()), key: NAME, ttl: 30000, retryAttempts: 500, retryDelay: 100 });
  let handle;
  return {
    async acquire() {
      handle = await lock.acquire();
      return { owner: handle.value };
    },
    async release() {
      if (!await lock.release(handle)) throw new Error('release() returned false');
    },
  };
}

const modes = {
  redlock4: ['redlock4', redlock4],
  redlock5: ['redlock5', redlock5],
  'redlock5-using': ['redlock5', redlock5Using],
  mutex: ['redis-semaphore', () => swarthy('Mutex')],
  'redlock-mutex': ['redis-semaphore', () => swarthy('RedlockMutex')],
  semaphore: ['redis-semaphore', () => swarthy('Semaphore')],
  'redlock-semaphore': ['redis-semaphore', () => swarthy('RedlockSemaphore')],
  'multi-semaphore': ['redis-semaphore', () => swarthy('MultiSemaphore')],
  bullmq: ['bullmq', bullmq],
  bull: ['bull', bull],
  'redis-lock': ['redis-lock', redisLock],
  'simple-redis-mutex': ['simple-redis-mutex', simpleRedisMutex],
  'redlock-universal': ['redlock-universal', redlockUniversal],
  ...others,
};

const [packageName, makeClient] = modes[mode];
const { name, version } = JSON.parse(fs.readFileSync(path.join(packageFolder(packageName), 'package.json'), 'utf8'));
say({ ready: { library: name, version } });

// One client after the other obeys; different clients do so at the same time.
const clients = {};
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  const order = JSON.parse(line);
  clients[order.client] = (clients[order.client] || Promise.resolve(null)).then(async (client) => {
    const made = client || await makeClient();
    try {
      const done = order.do === 'open' ? {} : await made[order.do]();
      say({ id: order.id, done: done && done.owner !== undefined ? { owner: done.owner } : done && done.said ? done : {} });
    } catch (problem) {
      say({ id: order.id, error: `${problem.name}: ${problem.message}` });
    }
    return made;
  });
});
