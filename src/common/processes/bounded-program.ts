import { constants, setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';

/** The parent ends a late child itself, and says why; the child waits so much longer for that. */
const GRACE_MS = 1_000;
const IDLE = 0n;

/**
 * Ends the process while its main thread is busy, which hears nothing then: when it takes too much memory or time, and when
 * its parent has gone. Buffers are not in V8's heap.
 */
const WATCHDOG = `
  const { workerData: { maxRssBytes, maxBusyMs, parentPid, busySince } } = require('node:worker_threads');
  const isLate = () => {
    const since = Atomics.load(busySince, 0);
    return since !== 0n && process.hrtime.bigint() - since > BigInt(maxBusyMs) * 1_000_000n;
  };
  setInterval(() => {
    if (process.memoryUsage.rss() > maxRssBytes || process.ppid !== parentPid || isLate()) {
      process.kill(process.pid, 'SIGKILL');
    }
  }, 50);
`;

/**
 * A program that `startBoundedChild` starts: answers requests, lets the API go first, and ends at its limits or with its
 * parent.
 *
 * @param answer is called for each request, and never fails
 * @param onSent is called once the answer was sent
 */
export function answerRequests<Request>(
  answer: (request: Request) => Promise<object>,
  onSent: () => void = () => undefined,
): void {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const [maxRssBytes = 0, timeoutMs = 0, parentPid = 0] = process.argv.slice(2).map(Number);
  const busySince = new BigInt64Array(new SharedArrayBuffer(8));
  const workerData = { maxRssBytes, maxBusyMs: timeoutMs + GRACE_MS, parentPid, busySince };
  new Worker(WATCHDOG, { eval: true, workerData, execArgv: [] }).unref();
  process.on('disconnect', () => process.exit());
  process.on('message', (request: Request) => {
    Atomics.store(busySince, 0, process.hrtime.bigint());
    void answer(request).then((reply) => {
      Atomics.store(busySince, 0, IDLE);
      process.send?.(reply, onSent);
    });
  });
}
