// Lock and unlock pairs per second with npm's redlock on one server, an async function per user, without
// contention: node redlock_pairs.js MODULE CONNECTIONS HOST PORT USERS KEYS SECONDS. MODULE is redlock4 or redlock5; NODE_PATH
// names the folder of the modules; the users share the connections. Counts after a second of warming up.
'use strict';

const Redis = require('ioredis');

const WARM_UP_MS = 1000;
const LEASE_MS = 30000;

/// One lock and unlock, as the version at hand spells it.
function pairOf(moduleName, client) {
    if (moduleName === 'redlock4') {
        const Redlock = require('redlock4');
        const redlock = new Redlock([client], { retryCount: 0 });
        return async (key) => (await redlock.lock(key, LEASE_MS)).unlock();
    }
    const { default: Redlock } = require('redlock5');
    const redlock = new Redlock([client], { retryCount: 0 });
    return async (key) => (await redlock.acquire([key], LEASE_MS)).release();
}

async function main() {
    const [moduleName, connectionCount, host, ...numbers] = process.argv.slice(2);
    const [port, userCount, keyCount, seconds] = numbers.map(Number);
    const clients = Array.from({ length: Number(connectionCount) }, () => new Redis({ host, port }));
    const begin = performance.now() + WARM_UP_MS;
    const end = begin + seconds * 1000;
    let pairs = 0;

    async function use(first) {
        const pair = pairOf(moduleName, clients[first % clients.length]);
        for (let i = first; performance.now() < end; i = i + userCount < keyCount ? i + userCount : first) {
            await pair(`lock:${moduleName}:${i}`);
            pairs += performance.now() >= begin ? 1 : 0;
        }
    }

    await Promise.all(Array.from({ length: userCount }, (_, first) => use(first)));
    console.log(pairs / ((performance.now() - begin) / 1000));
    clients.forEach((client) => client.disconnect());
}

main().catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
