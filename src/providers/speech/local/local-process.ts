import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { SpeechUnavailableError } from '../speech-error.js';
import type { LocalReply, LocalRequest } from './local-protocol.js';

/** Requests that may wait or run at the same time. */
const LARGEST_QUEUE = 64;
/** For one request, loading a model of a gigabyte included. */
const TIMEOUT_MS = 60_000;

const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const CHILD = fileURLToPath(new URL(`./local-child${EXTENSION}`, import.meta.url));
/** From source, as tests run it, the child has the same extension and needs a loader. */
const LOADER = EXTENSION === '.ts' ? ['--import', 'tsx'] : [];

interface Waiting {
  readonly timer: NodeJS.Timeout;
  readonly resolve: (reply: LocalReply) => void;
  readonly reject: (error: Error) => void;
}

/** A request without its number: of each kind by itself. */
export type LocalTask = LocalRequest extends infer T ? (T extends unknown ? Omit<T, 'id'> : never) : never;

/** Runs speech models in a process of its own, started at the first request and anew after it died. */
export class LocalProcess {
  private child: ChildProcess | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private lastId = 0;

  /**
   * Does one task.
   *
   * @throws SpeechUnavailableError when too much waits, the model fails, the process dies, or it takes too long
   */
  async run(task: LocalTask): Promise<LocalReply> {
    if (this.waiting.size >= LARGEST_QUEUE) {
      throw new SpeechUnavailableError('Too much waits for the local speech models');
    }
    const reply = await this.exchange(task);
    if ('error' in reply) throw new SpeechUnavailableError(`The local speech model failed: ${reply.error}`);
    return reply;
  }

  close(): void {
    this.child?.kill('SIGKILL');
  }

  private exchange(task: LocalTask): Promise<LocalReply> {
    this.lastId += 1;
    const id = this.lastId;
    const child = (this.child ??= this.start());
    return new Promise((resolve, reject) => {
      // A process that does not answer is of no use to the others either.
      const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
      this.waiting.set(id, { timer, resolve, reject });
      child.send({ ...task, id }, (error) => {
        if (error) child.kill('SIGKILL');
      });
    });
  }

  private start(): ChildProcess {
    const child = fork(CHILD, [], {
      execArgv: LOADER,
      // Nothing of the environment: it holds secrets, and the child needs none.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (reply: LocalReply) => {
      const waiting = this.waiting.get(reply.id);
      this.waiting.delete(reply.id);
      clearTimeout(waiting?.timer);
      waiting?.resolve(reply);
    });
    child.on('error', () => this.forget(child));
    child.on('exit', () => this.forget(child));
    child.unref();
    child.channel?.unref();
    return child;
  }

  private forget(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    for (const { timer, reject } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new SpeechUnavailableError('The process of the local speech models ended'));
    }
    this.waiting.clear();
  }
}
