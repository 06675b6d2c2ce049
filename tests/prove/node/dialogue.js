// What every Node adapter shares: it reads words, has the named task do them, and prints the answers. docs/adapters.md tells
// the protocol. An adapter is an object with newLock(key, thread), acquire(lock) (true or false) and release(lock), and as
// many of extend(lock), held(lock) and forget(lock) as its library has. `false` and an error that notHeld(error) knows mean no.
'use strict';
const fs = require('fs');
const readline = require('readline');

const number = (name, otherwise) => Number(process.env[name] ?? otherwise);
const LEASE_MS = number('LOCKSCOPE_LEASE_MS', 3000);
const WAIT_MS = number('LOCKSCOPE_WAIT_MS', 1000);
const URL = process.env.LOCKSCOPE_URL ?? 'redis://127.0.0.1:6379/0';
const URLS = (process.env.LOCKSCOPE_URLS ?? URL).split(',');
const PROCESS = process.env.LOCKSCOPE_PROCESS ?? 'A';
const OPTIONS = Object.fromEntries((process.env.LOCKSCOPE_ADAPTER_OPTIONS ?? '').split(/\s+/).filter(Boolean)
  .map((word) => word.split('=')));

// What else to say of the library: threads, reentrant, fair.
const ALSO = (OPTIONS.also ?? '').split(',').filter(Boolean);

const say = (line) => fs.writeSync(1, line + '\n');
// Whatever a library prints belongs to the standard error.
process.stdout.write = process.stderr.write.bind(process.stderr);

/** A client that is connected; losses are reported by the calls, not by the process's end. */
async function connected(url) {
  const Redis = require('ioredis');
  const client = new Redis(url);
  client.on('error', (error) => console.error(String(error)));
  await client.ping();
  return client;
}

/** The tasks and lock objects between two resets. */
class Round {
  constructor(adapter) {
    this.adapter = adapter;
    this.isEnded = false;
    this.locks = new Map();
    this.queues = new Map();
  }

  lockOf(thread, key) {
    const name = `${thread} ${key}`;
    if (!this.locks.has(name)) this.locks.set(name, this.adapter.newLock(key, (lost) => this.tellLoss(thread, lost)));
    return this.locks.get(name);
  }

  tellLoss(thread, key) {
    if (!this.isEnded) say(`lost ${thread} ${key}`);
  }

  /** One thread's words are done one after the other, those of different threads at the same time. */
  order(word, thread, key) {
    const before = this.queues.get(thread) ?? Promise.resolve();
    this.queues.set(thread, before.then(() => this.answer(word, thread, key)));
  }

  async answer(word, thread, key) {
    let text;
    try {
      text = (await this.adapter[word](this.lockOf(thread, key))) === false ? 'no' : 'yes';
    } catch (error) {
      const isUsual = this.adapter.notHeld && this.adapter.notHeld(error, word);
      text = isUsual ? 'no' : `error ${error.name}: ${error.message}`.replace(/\s+/g, ' ');
    }
    if (!this.isEnded) say(`${thread} ${text}`);
  }

  end() {
    this.isEnded = true;
    if (this.adapter.forget) this.locks.forEach((lock) => this.adapter.forget(lock));
  }
}

/** The adapter, of which every script has run once: its first run then takes as many messages as every other. */
async function warmedUp(adapter) {
  const lock = adapter.newLock(`warm-up-${PROCESS}`, () => {});
  await adapter.acquire(lock);
  if (adapter.extend) await adapter.extend(lock);
  await adapter.release(lock);
  if (adapter.forget) adapter.forget(lock);
  return adapter;
}

/** `makeAdapter` may be asynchronous: it connects, and runs each script once. */
async function serve(makeAdapter) {
  const adapter = await makeAdapter();
  let round = new Round(adapter);
  const lines = readline.createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const [word, thread, ...rest] = line.split(/\s+/).filter(Boolean);
    if (word === 'reset') {
      round.end();
      round = new Round(adapter);
      say(`${thread} yes`);
    } else if (thread) {
      round.order(word, thread, rest[0]);
    }
  });
  lines.on('close', () => process.exit(0));
  const words = ['acquire', 'release', 'extend', 'held'].filter((word) => adapter[word]);
  say(['ready', ...words, 'reset', ...ALSO].join(' '));
}

module.exports = { LEASE_MS, OPTIONS, PROCESS, URL, URLS, WAIT_MS, connected, serve, warmedUp };
