// Writes keys that are no locks by real libraries: plain_data.js PORT COUNT SEED. Prints a pattern of the keys of each group.
'use strict';
const crypto = require('crypto');
const session = require('express-session');
const RedisStore = require('connect-redis').default;
const IORedis = require('ioredis');
const { createClient } = require('redis4');
const { Keyv } = require('keyv');
const KeyvRedis = require('@keyv/redis').default;
const { createCache } = require('cache-manager');
const { RateLimiterRedis } = require('rate-limiter-flexible');
const { RedisStore: LimitStore } = require('rate-limit-redis');
const { Queue: BullMQ } = require('bullmq');
const Bull = require('bull');
const BeeQueue = require('bee-queue');
const { Queue: Resque } = require('node-resque');

const [port, count, seed] = process.argv.slice(2).map(Number);
const url = `redis://127.0.0.1:${port}`;
const ioredis = new IORedis(url, { maxRetriesPerRequest: null });
const redis = createClient({ url });

/** The n-th number below a limit that the seed draws; n is counted over all calls. */
let drawn = 0;
function below(limit) {
  drawn += 1;
  return crypto.createHash('md5').update(`${seed}:${drawn}`).digest().readUInt32BE(0) % limit;
}

async function each(work) {
  for (let i = 0; i < count; i += 1) await work(i);
}

async function sessions() {
  const store = new RedisStore({ client: redis, ttl: 3600 });
  const late = new RedisStore({ client: ioredis, prefix: 'lock-app:sess:', ttl: 7200 });
  const set = (into, id, data) => new Promise((resolve, reject) => {
    into.set(id, data, (problem) => (problem ? reject(problem) : resolve()));
  });
  await each(async (i) => {
    const cookie = new session.Cookie({ maxAge: 3600_000 }).toJSON();
    await set(store, crypto.randomBytes(24).toString('base64url'), { cookie, user: i, csrf: crypto.randomUUID() });
    await set(late, crypto.randomUUID(), { cookie, flash: { info: ['Saved.'] } });
  });
  return { 'express sessions': 'sess:.*', 'express sessions of an app about locks': 'lock-app:sess:.*' };
}

async function caches() {
  const keyv = new Keyv(new KeyvRedis(url), { namespace: 'pages' });
  const tokens = new Keyv(new KeyvRedis(url), { namespace: 'tokens' });
  const cache = createCache({ stores: [new Keyv(new KeyvRedis(url), { namespace: 'cm' })], ttl: 3600_000 });
  await each(async (i) => {
    await keyv.set(`page-${i}`, { hits: below(1000), owner: `user-${below(90)}` }, 3600_000);
    await tokens.set(`user-${i}`, crypto.randomUUID(), 3600_000);
    await cache.set(`price:${i}:locked`, below(1000));
    await cache.set(`team:${i}:leader`, crypto.randomUUID());
    await redis.set(`short:${i}`, crypto.randomBytes(16).toString('base64'), { EX: 3600 });
    await redis.set(`otp:${i}`, String(below(1_000_000)).padStart(6, '0'), { EX: 1800 });
    await ioredis.set(`verify:${i}`, crypto.randomBytes(16).toString('hex'), 'EX', 3600);
    await ioredis.hset(`cart:${i}`, `${crypto.randomUUID()}:${below(90)}`, 1 + below(9));
    await ioredis.expire(`cart:${i}`, 7200);
    await ioredis.zadd(`online:${i}`, Date.now() + 3600_000, crypto.randomUUID());
    await ioredis.pexpire(`online:${i}`, 3600_000);
  });
  return {
    'keyv, pages': '.*pages:.*', 'keyv, tokens': '.*tokens:.*', 'cache-manager': 'cm:.*', 'redis, short': 'short:.*',
    'redis, one-time password': 'otp:.*', 'ioredis, verification': 'verify:.*', 'ioredis, cart': 'cart:\\d+',
    'ioredis, presence': 'online:\\d+',
  };
}

async function limits() {
  const flexible = new RateLimiterRedis({ storeClient: ioredis, keyPrefix: 'login_fail', points: 5, duration: 3600, blockDuration: 1800 });
  const plain = new RateLimiterRedis({ storeClient: ioredis, points: 100, duration: 3600 });
  const store = new LimitStore({ sendCommand: (command, ...words) => ioredis.call(command, ...words), prefix: 'rl:' });
  await store.init({ windowMs: 3600_000 });
  await each(async (i) => {
    await flexible.consume(`user-${i}`, 1 + below(9)).catch(() => {});
    await plain.consume(`10.0.${below(250)}.${i}`);
    await store.increment(`10.1.${below(250)}.${i}`);
  });
  return { 'rate-limiter-flexible, logins': 'login_fail:.*', 'rate-limiter-flexible': 'rlflx:.*', 'rate-limit-redis': 'rl:10\\.1\\..*' };
}

async function queues() {
  const bullmq = new BullMQ('mail', { connection: ioredis });
  const bull = new Bull('images', url);
  const bee = new BeeQueue('reports', { redis: url, isWorker: false });
  const resque = new Resque({ connection: { redis: ioredis } }, {});
  await resque.connect();
  await each(async (i) => {
    await bullmq.add('send', { to: `${i}@example.org`, lock: crypto.randomUUID() }, { delay: 60_000 * below(60) });
    await bull.add({ image: crypto.randomUUID() });
    await bee.createJob({ report: i }).save();
    await resque.enqueueAt(Date.now() + 3600_000 + i * 1000, 'later', 'crawl', [i]);
  });
  await bullmq.close();
  await bull.close();
  await bee.close();
  await resque.end();
  return { BullMQ: 'bull:mail:.*', Bull: 'bull:images:.*', 'bee-queue': 'bq:.*', 'node-resque': 'resque:.*' };
}

async function main() {
  await redis.connect();
  const groups = { ...await sessions(), ...await caches(), ...await limits(), ...await queues() };
  process.stdout.write(JSON.stringify(groups) + '\n', () => process.exit(0));
}

main().catch((problem) => {
  process.stderr.write(`${problem.stack}\n`);
  process.exit(1);
});
