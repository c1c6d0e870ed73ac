import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Failure, failure, UnreadableError } from '../failure.js';
import type { Extraction, ExtractionReply, ExtractionRequest } from './extraction.js';

export interface ExtractionLimits {
  /** For one file. */
  readonly timeoutMs: number;
  readonly maxRssBytes: number;
  readonly maxHeapMegabytes: number;
}

export const EXTRACTION_LIMITS: ExtractionLimits = {
  timeoutMs: 60_000,
  maxRssBytes: 512 * 1024 * 1024,
  maxHeapMegabytes: 320,
};

/** From source, as tests run it, the child has the same extension and needs a loader. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const CHILD = fileURLToPath(new URL(`./extraction-child${EXTENSION}`, import.meta.url));
const LOADER = EXTENSION === '.ts' ? ['--import', 'tsx'] : [];

/**
 * Reads files in a process of its own with bounded time and memory, one at a time. The process is started when it is
 * first needed, serves many files, and is started anew after a file that it did not survive.
 */
export class ExtractionProcess {
  private child: ChildProcess | null = null;

  constructor(private readonly limits: ExtractionLimits = EXTRACTION_LIMITS) {}

  /** @throws UnreadableError with the reason; any other error is a fault of the machine */
  async extract(request: ExtractionRequest): Promise<Extraction> {
    this.child ??= this.start();
    const reply = await this.exchange(this.child, request);
    if ('failure' in reply) throw new UnreadableError(reply.failure, { cause: reply.detail });
    return reply.extraction;
  }

  close(): void {
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private start(): ChildProcess {
    const { maxRssBytes, maxHeapMegabytes } = this.limits;
    const child = fork(CHILD, [String(maxRssBytes)], {
      execArgv: [...LOADER, `--max-old-space-size=${maxHeapMegabytes}`],
      // Nothing of the environment: it holds secrets, and the child needs none.
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // These stay, also between two files: a child that ends then is started anew, and its errors end nobody else.
    const forget = () => {
      if (this.child === child) this.child = null;
    };
    child.on('exit', forget);
    child.on('error', forget);
    return child;
  }

  private exchange(child: ChildProcess, request: ExtractionRequest): Promise<ExtractionReply> {
    const { timeoutMs } = this.limits;
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, timeoutMs);
      const onMessage = (reply: unknown) => {
        end();
        resolve(reply as ExtractionReply);
      };
      const onError = (error: Error) => {
        end();
        reject(error);
      };
      const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
        end();
        resolve({
          failure: isLate ? tooSlow(timeoutMs) : failureOf(code, signal),
          detail: `exit ${code ?? signal}`,
        });
      };
      const end = () => {
        clearTimeout(timer);
        child.off('message', onMessage).off('error', onError).off('exit', onExit);
      };
      child.on('message', onMessage).on('error', onError).on('exit', onExit);
      child.send(request);
    });
  }
}

function tooSlow(timeoutMs: number): Failure {
  return failure('ingestion.too_slow', { seconds: timeoutMs / 1_000 });
}

/** The watchdog's end is SIGKILL, V8's own is an abort when its heap is full. */
function failureOf(code: number | null, signal: NodeJS.Signals | null): Failure {
  const isOutOfMemory = signal === 'SIGKILL' || signal === 'SIGABRT' || code === 134;
  return failure(isOutOfMemory ? 'ingestion.too_much_memory' : 'ingestion.unreadable');
}
