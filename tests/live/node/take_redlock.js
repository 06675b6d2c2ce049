// Takes a lock with npm's redlock and leaves it: node take_redlock.js MODULE KEY TTL_MS SOCKET...
// MODULE is redlock4 or redlock5. Prints the token. Modules are found in the folder that NODE_PATH names.
'use strict';

const Redis = require('ioredis');

async function takeWith(moduleName, clients, key, ttlMs) {
    if (moduleName === 'redlock4') {
        const Redlock = require('redlock4');
        return (await new Redlock(clients).lock(key, ttlMs)).value;
    }
    const { default: Redlock } = require('redlock5');
    const lock = await new Redlock(clients).acquire([key], ttlMs);
    await Promise.all(lock.attempts); // it goes on as soon as a majority has answered; we want all of them
    return lock.value;
}

async function main() {
    const [moduleName, key, ttlMs, ...sockets] = process.argv.slice(2);
    const clients = sockets.map((socket) => new Redis(socket));
    console.log(await takeWith(moduleName, clients, key, Number(ttlMs)));
    await Promise.all(clients.map((client) => client.quit()));
}

main().catch((error) => {
    console.error(error);
    process.exitCode = 1;
});
