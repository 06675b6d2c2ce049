// An adapter for `lockscope-cli prove`, of redis-semaphore's Mutex. Put your own lock in place of it.
// Run it:  npm install ioredis redis-semaphore
//          lockscope-cli prove --adapter 'node node.js'
// Try it:  LOCKSCOPE_URL=redis://127.0.0.1:6379/0 node node.js     then type: acquire t0 demo
const Redis = require('ioredis');
const { Mutex, TimeoutError } = require('redis-semaphore');

const client = new Redis(process.env.LOCKSCOPE_URL ?? 'redis://127.0.0.1:6379/0');
client.on('error', console.error);
const times = { lockTimeout: Number(process.env.LOCKSCOPE_LEASE_MS ?? 1000), acquireTimeout: Number(process.env.LOCKSCOPE_WAIT_MS ?? 1000) };
let locks = {}; // one lock object for each thread and key

async function obey(word, thread, key) {
  if (word === 'reset') Object.values(locks).forEach((lock) => lock.stopRefresh());
  if (word === 'reset') return Boolean(locks = {});
  const lock = locks[`${thread} ${key}`] ??= new Mutex(client, key, { ...times, onLockLost: () => console.log(`lost ${thread} ${key}`) });
  if (word === 'held') return lock.isAcquired;
  if (word === 'release' && !lock.isAcquired) return false;
  return (await lock[word]()) ?? true;
}

require('readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const [word, thread, key] = line.trim().split(/\s+/);
  const answer = await obey(word, thread, key).then((done) => (done ? 'yes' : 'no'),
    (error) => (error instanceof TimeoutError ? 'no' : `error ${String(error).replace(/\s+/g, ' ')}`));
  console.log(`${thread} ${answer}`);
}).on('close', () => process.exit());
client.ping().then(() => console.log('ready acquire release held reset'));
