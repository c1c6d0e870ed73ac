import { KeyedQueue } from '#src/common/concurrency/keyed-queue.js';
import { askChild, type ChildEnd, startBoundedChild } from '#src/common/processes/bounded-child.js';
import { WorkbookError } from './workbook-check.js';
import { WORKBOOK_LIMITS, type WorkbookLimits } from './workbook-limits.js';
import type { WorkbookFailure, WorkbookReply, WorkbookRequest } from './workbook-reply.js';

const FAILURE_OF: Readonly<Record<ChildEnd['end'], WorkbookFailure>> = {
  'too-slow': 'too-slow',
  'out-of-memory': 'too-large',
  failed: 'unreadable',
};

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
    const child = startBoundedChild(import.meta.url, './workbook-child', limits);
    // Stays: an error that comes after the answer ends no other work.
    child.on('error', () => undefined);
    const request: WorkbookRequest = { path, output, limits };
    const reply = await askChild<WorkbookReply>(child, request, limits.timeoutMs);
    if ('end' in reply) throw new WorkbookError(FAILURE_OF[reply.end]);
    if ('failure' in reply) throw new WorkbookError(reply.failure);
    return reply.rows;
  });
}
