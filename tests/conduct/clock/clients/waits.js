// Waits of 30 seconds, each begun by its name on a line; answers with the seconds that the clocks say it took.
const { createInterface } = require("node:readline");

const waits = {
  timeout: (done) => setTimeout(done, 30000),
  interval: (done) => {
    const timer = setInterval(() => {
      clearInterval(timer);
      done();
    }, 30000);
  },
  promise: (done) => require("node:timers/promises").setTimeout(30000).then(done),
  atomics: (done) => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30000);
    done();
  },
};

const lines = createInterface({ input: process.stdin });
lines.on("line", (name) => {
  const monotonic = process.hrtime.bigint();
  const wall = Date.now();
  waits[name](() => {
    console.log(`${Number(process.hrtime.bigint() - monotonic) / 1e9} ${(Date.now() - wall) / 1e3}`);
  });
});
lines.on("close", () => process.exit(0));
console.log(["ready", ...Object.keys(waits)].join(" "));
