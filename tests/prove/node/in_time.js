// For libraries that tell by an event that they have the lock, and never give up: the wait is ours. Errors are events, too, and no end of it.
'use strict';
const { WAIT_MS } = require('./dialogue');

/** Whether the event comes before the wait is over. */
function comesInTime(emitter, event) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, WAIT_MS, false);
    emitter.once(event, () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

module.exports = { comesInTime };
