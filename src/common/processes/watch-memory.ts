import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** Ends the process when it takes too much memory, also while its main thread is busy. Buffers are not in V8's heap. */
const WATCHDOG = `
  const { workerData } = require('node:worker_threads');
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

/** First in a program that `startBoundedChild` starts: bounds its memory, lets requests of the API go first, and ends with its parent. */
export function watchMemory(): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  new Worker(WATCHDOG, { eval: true, workerData: Number(process.argv[2]), execArgv: [] }).unref();
  process.on('disconnect', () => process.exit());
}
