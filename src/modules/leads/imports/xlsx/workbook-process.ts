import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { KeyedQueue } from '../../../../common/concurrency/keyed-queue.js';
import { WorkbookError } from './workbook-check.js';
import { WORKBOOK_LIMITS, type WorkbookLimits } from './workbook-limits.js';
import type { WorkbookReply, WorkbookRequest } from './workbook-reply.js';

/** From source, as tests run it, the child has the same extension and needs a loader. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const CHILD = fileURLToPath(new URL(`./workbook-child${EXTENSION}`, import.meta.url));
const LOADER = EXTENSION === '.ts' ? ['--import', 'tsx'] : [];

/** Each takes the memory that a child may take, so they are read one after another. */
const queue = new KeyedQueue<'workbook'>();

/**
 * Writes the first sheet of a workbook down as text, in a process of its own with bounded time and memory.
 *
 * @returns how many rows the sheet has
 * @throws WorkbookError with the reason; any other error is a fault of the machine
 */
export function convertWorkbook(
  path: string,
  output: string,
  limits: WorkbookLimits = WORKBOOK_LIMITS,
): Promise<number> {
  return queue.run('workbook', async () => {
    const reply = await exchange(start(limits), { path, output, limits }, limits.timeoutMs);
    if ('failure' in reply) throw new WorkbookError(reply.failure);
    return reply.rows;
  });
}

function start({ maxHeapMegabytes }: WorkbookLimits): ChildProcess {
  return fork(CHILD, {
    execArgv: [...LOADER, `--max-old-space-size=${maxHeapMegabytes}`],
    // Nothing of the environment: it holds secrets, and the child needs none.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

function exchange(child: ChildProcess, request: WorkbookRequest, timeoutMs: number): Promise<WorkbookReply> {
  return new Promise((resolve, reject) => {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('message', (reply) => {
      clearTimeout(timer);
      resolve(reply as WorkbookReply);
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const isOutOfMemory = signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134;
      resolve({ failure: isLate ? 'too-slow' : isOutOfMemory ? 'too-large' : 'unreadable' });
    });
    child.send(request);
  });
}
