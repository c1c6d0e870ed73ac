import type { ChildProcess } from 'node:child_process';
import {
  askChild,
  type ChildEnd,
  type ChildLimits,
  startBoundedChild,
} from '../../../common/processes/bounded-child.js';
import { type Failure, failure, UnreadableError } from '../failure.js';
import type { Extraction, ExtractionReply, ExtractionRequest } from './extraction.js';

export const EXTRACTION_LIMITS: ChildLimits = {
  timeoutMs: 60_000,
  maxRssBytes: 512 * 1024 * 1024,
  maxHeapMegabytes: 320,
};

/**
 * Reads files in a process of its own with bounded time and memory, one at a time. The process is started when it is
 * first needed, serves many files, and is started anew after a file that it did not survive.
 */
export class ExtractionProcess {
  private child: ChildProcess | null = null;

  constructor(private readonly limits: ChildLimits = EXTRACTION_LIMITS) {}

  /** @throws UnreadableError with the reason; any other error is a fault of the machine */
  async extract(request: ExtractionRequest): Promise<Extraction> {
    this.child ??= this.start();
    const { timeoutMs } = this.limits;
    const reply = await askChild<ExtractionReply>(this.child, request, timeoutMs);
    if ('end' in reply) throw new UnreadableError(failureOf(reply, timeoutMs), { cause: reply.detail });
    if ('failure' in reply) throw new UnreadableError(reply.failure, { cause: reply.detail });
    return reply.extraction;
  }

  close(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private start(): ChildProcess {
    const child = startBoundedChild(import.meta.url, './extraction-child', this.limits);
    // These stay, also between two files: a child that ends then is started anew, and its errors stop no other
    // extraction.
    const forget = () => {
      if (this.child === child) this.child = null;
    };
    child.on('exit', forget);
    child.on('error', forget);
    return child;
  }
}

function failureOf({ end }: ChildEnd, timeoutMs: number): Failure {
  if (end === 'too-slow') return failure('ingestion.too_slow', { seconds: timeoutMs / 1_000 });
  return failure(end === 'out-of-memory' ? 'ingestion.too_much_memory' : 'ingestion.unreadable');
}
