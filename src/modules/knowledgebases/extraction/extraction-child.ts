// The process that reads files. It knows no secrets and no database; who feeds it a hostile file loses this process.
import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { extract } from './extract.js';
import type { ExtractionRequest } from './extraction.js';

/** Ends the process when it takes too much memory, also while its main thread is busy. Buffers are not in V8's heap. */
const WATCHDOG = `
  const { workerData } = require('node:worker_threads');
  setInterval(() => {
    if (process.memoryUsage.rss() > workerData) process.kill(process.pid, 'SIGKILL');
  }, 50);
`;

// Whoever waits for an answer of the API goes first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const maxRssBytes = Number(process.argv[2]);
new Worker(WATCHDOG, { eval: true, workerData: maxRssBytes, execArgv: [] }).unref();

process.on('message', (request: ExtractionRequest) => {
  void extract(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
