// Loaded before the product: shifts its wall clock by the milliseconds that a file names. The clock of timers is
// another one and stays, as when an operator sets the time.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_OFFSET_FILE ?? '';
const realNow = Date.now.bind(Date);
let offsetMs = 0;

function read() {
  try {
    offsetMs = Number(readFileSync(file, 'utf8')) || 0;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
}

read();
setInterval(read, 50).unref();
Date.now = () => realNow() + offsetMs;
const shifted = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(
      target,
      args.length > 0 ? args : [Date.now()],
      newTarget === shifted ? target : newTarget,
    ),
  apply: () => new shifted().toString(),
});
globalThis.Date = shifted;
