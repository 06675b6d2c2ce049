// Takes locks with npm's redlock as it is told, line by line (foreign/locker.h): node hold_redlock.js MODULE HOST:PORT...
// MODULE is redlock4 or redlock5. Modules are found in the folder that NODE_PATH names.
'use strict';

const readline = require('node:readline');
const Redis = require('ioredis');

const RETRY_MS = 50;

function redlockOf(moduleName, clients, waitMs) {
    const settings = { retryCount: Math.ceil(waitMs / RETRY_MS), retryDelay: RETRY_MS, retryJitter: 0 };
    if (moduleName === 'redlock4') {
        const Redlock = require('redlock4');
        const redlock = new Redlock(clients, settings);
        return { lock: (key, leaseMs) => redlock.lock(key, leaseMs), unlock: (lock) => lock.unlock() };
    }
    const { default: Redlock } = require('redlock5');
    const redlock = new Redlock(clients, settings);
    return { lock: (key, leaseMs) => redlock.acquire([key], leaseMs), unlock: (lock) => lock.release() };
}

/// Whether the library says that a majority of the servers did not agree, and not that it is broken.
function isRefusal(error) {
    return error.name === 'LockError' || error.name === 'ExecutionError';
}

class Holder {
    constructor(moduleName, clients) {
        this.moduleName = moduleName;
        this.clients = clients;
        this.holds = new Map();
    }

    async lock(key, leaseMs, waitMs) {
        const redlock = redlockOf(this.moduleName, this.clients, Number(waitMs));
        const lock = await redlock.lock(key, Number(leaseMs));
        this.holds.set(key, () => redlock.unlock(lock));
        return 'granted';
    }

    async unlock(key) {
        await this.holds.get(key)();
        return 'released';
    }

    async answer(order) {
        const [name, ...values] = order.split(' ');
        try {
            return await (name === 'lock' ? this.lock(...values) : this.unlock(...values));
        } catch (error) {
            if (!isRefusal(error)) {
                return `error ${error}`;
            }
            return name === 'lock' ? 'refused' : 'not held';
        }
    }
}

async function main() {
    const [moduleName, ...addresses] = process.argv.slice(2);
    const clients = addresses.map((address) => new Redis(`redis://${address}`));
    const holder = new Holder(moduleName, clients);
    console.log('ready');
    for await (const order of readline.createInterface({ input: process.stdin })) {
        console.log(await holder.answer(order));
    }
    clients.forEach((client) => client.disconnect());
}

main().catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
