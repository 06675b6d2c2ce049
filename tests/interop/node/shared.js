// What the modes of all files share: what was asked for, and where the servers are.
'use strict';
const fs = require('fs');
const path = require('path');

const [mode, optionText, ...ports] = process.argv.slice(2);
const options = JSON.parse(optionText);
const NAME = 'lock:orders:42';

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function ioredis(port = ports[0], more = {}) {
  const Redis = require('ioredis');
  return new Redis({ host: '127.0.0.1', port: Number(port), ...more });
}

/** Where a package is installed, also if its exports hide package.json. */
function packageFolder(name) {
  return process.env.NODE_PATH.split(':').map((folder) => path.join(folder, name)).find((folder) => fs.existsSync(folder));
}

/** Tries again where a library only refuses; returns what the attempt returned when it was true. */
async function until(attempt) {
  for (;;) {
    const result = await attempt();
    if (result) return result;
    await sleep(50);
  }
}

module.exports = { NAME, ioredis, mode, options, packageFolder, ports, sleep, until };
