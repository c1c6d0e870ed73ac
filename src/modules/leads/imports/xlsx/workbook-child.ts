// The process that reads one workbook. It knows no secrets and no database; a hostile file costs this process alone.
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { readWorkbook } from './read-workbook.js';
import type { WorkbookRequest } from './workbook-reply.js';

/** Ends the process when it takes too much memory, also while its main thread is busy. Buffers are not in V8's heap. */
const WATCHDOG = `
  const { workerData } = require('node:worker_threads');
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

// Requests of the API go first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

process.once('message', (request: WorkbookRequest) => {
  new Worker(WATCHDOG, { eval: true, workerData: request.limits.maxRssBytes, execArgv: [] }).unref();
  void readWorkbook(request).then((reply) => process.send?.(reply, () => process.exit()));
});
process.on('disconnect', () => process.exit());
