// The locks of a job of node-resque: a plugin does what its workers have it do before and after. None keeps an owner, and whoever gives back
// deletes the key and hears nothing. Nobody waits: a job that is refused is put off or dropped. The lease is whole seconds.
// Options: plugin=QueueLock  a job is queued once, until it is started; otherwise JobLock: it runs once at a time
'use strict';
const { Plugins, Queue } = require('node-resque');
const { LEASE_MS, OPTIONS, URL, connected, serve } = require('./dialogue');

const PLUGIN = OPTIONS.plugin ?? 'JobLock';
const [TAKE, GIVE] = { JobLock: ['beforePerform', 'afterPerform'], QueueLock: ['beforeEnqueue', 'beforePerform'] }[PLUGIN];
const JOB = { plugins: [PLUGIN], pluginOptions: { JobLock: { reEnqueue: false } } };

class ResqueJobs {
  constructor(queue) {
    this.queue = queue;
  }

  newLock(key) {
    const plugin = new Plugins[PLUGIN](this.queue, 'report', 'default', JOB, [key], { lockTimeout: Math.ceil(LEASE_MS / 1000) });
    return { plugin, isHeld: false };
  }

  async acquire(lock) {
    lock.isHeld = await lock.plugin[TAKE]();
    return lock.isHeld;
  }

  async release(lock) {
    const { isHeld } = lock;
    lock.isHeld = false;
    return isHeld && lock.plugin[GIVE]();
  }
}

serve(async () => {
  const queue = new Queue({ connection: { redis: await connected(URL) } });
  queue.on('error', (error) => console.error(String(error)));
  await queue.connect();
  return new ResqueJobs(queue);
});
