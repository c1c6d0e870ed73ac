import { Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type NearRow, nearestRows } from './nearest-rows.js';

export interface ScanRequest {
  readonly id: number;
  /** In shared memory, so that nothing is copied. */
  readonly values: Float32Array;
  readonly vector: Float32Array;
  readonly limit: number;
}

export interface ScanReply {
  readonly id: number;
  readonly rows: readonly NearRow[];
}

interface Waiting {
  readonly resolve: (rows: readonly NearRow[]) => void;
  readonly reject: (error: unknown) => void;
}

/** What is compared in less time than a message to another thread is worth (about half a millisecond). */
const INLINE_VALUES = 500_000;

const PROGRAM = new URL('./vector-scan-worker.js', import.meta.url);

/** Compares a vector with many others in a thread of its own, which is started when it is first needed. */
@Injectable()
export class VectorScanService implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /** As `nearestRows`. @param values in shared memory */
  nearest(values: Float32Array, given: readonly number[], limit: number): Promise<readonly NearRow[]> {
    const vector = Float32Array.from(given);
    if (values.length <= INLINE_VALUES) return Promise.resolve(nearestRows(values, vector, limit));
    this.worker ??= this.start();
    const id = ++this.lastId;
    const request: ScanRequest = { id, values, vector, limit };
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker?.postMessage(request);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = startWorker();
    worker.unref();
    worker.on('message', ({ id, rows }: ScanReply) => {
      this.waiting.get(id)?.resolve(rows);
      this.waiting.delete(id);
    });
    worker.on('error', (error) => this.fail(worker, error));
    worker.on('exit', () => this.fail(worker, new Error('the thread that compares vectors has ended')));
    return worker;
  }

  /** Those who wait learn of it; the next search gets a new thread. */
  private fail(worker: Worker, error: unknown): void {
    if (this.worker !== worker) return;
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}

/** From source, as tests run it, the program is TypeScript, for which a thread of Node 20 takes a loader only so. */
function startWorker(): Worker {
  if (import.meta.url.endsWith('.js')) return new Worker(PROGRAM, { env: {} });
  const program = PROGRAM.href.replace(/js$/, 'ts');
  const source = `import('tsx/esm/api').then(({ register }) => (register(), import('${program}')))`;
  return new Worker(source, { eval: true, env: {} });
}
