import { type ChildProcess, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { SpeechUnavailableError } from '../speech-error.js';
import type { EspeakReply, EspeakRequest, READY } from './espeak-protocol.js';

/** One line, spoken. Mono PCM16. */
export interface SpokenLine {
  readonly samples: Int16Array;
  readonly sampleRateHz: number;
}

export interface EspeakLine {
  readonly text: string;
  /** Of espeak-ng, such as `pt-br` or `pt-br+f3`; another language's voice where espeak-ng has none. */
  readonly voice: string;
  /** 1 is espeak's own pace. */
  readonly speed: number;
  /** No caller waits for it: it is spoken after all others, and does not count in the queue. */
  readonly isPreparation?: boolean;
}

export interface EspeakLimits {
  /** Lines that may wait at the same time. */
  readonly queue: number;
  /** For one line, from when the process begins with it. */
  readonly timeoutMs: number;
  /** For the process to be there. */
  readonly startMs: number;
  /** Of kept lines, in bytes. */
  readonly cacheBytes: number;
  /** Of one line. */
  readonly characters: number;
}

export const ESPEAK_LIMITS: EspeakLimits = {
  queue: 64,
  timeoutMs: 10_000,
  startMs: 60_000,
  cacheBytes: 16 * 1024 * 1024,
  characters: 2_000,
};

const WORDS_PER_MINUTE = 175;

/** From source, as tests run it, the child has the same extension and needs a loader. */
const EXTENSION = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
const CHILD = fileURLToPath(new URL(`./espeak-child${EXTENSION}`, import.meta.url));
const LOADER = EXTENSION === '.ts' ? ['--import', 'tsx'] : [];

/** How often a line is begun: again when the process died of something else than the line, such as of a signal. */
const TRIES = 2;

interface Waiting {
  tries: number;
  readonly request: EspeakRequest;
  readonly resolve: (line: SpokenLine) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Speaks lines with espeak-ng in a process of its own: for its licence, and because a line takes a quarter of a second
 * during which nothing else would run. One line at a time; the process is started at the first one and anew after it died.
 * What was said is kept, as scripts repeat themselves.
 */
export class EspeakProcess {
  private readonly logger = new Logger(EspeakProcess.name);
  private readonly spoken: LRUCache<string, SpokenLine>;
  /** Lines that are asked for and not spoken yet: who asks for one again waits with the first. */
  private readonly underWay = new Map<string, Promise<SpokenLine>>();
  private readonly waiting: Waiting[] = [];
  private readonly preparations: Waiting[] = [];
  private child: ChildProcess | null = null;
  private isReady = false;
  private current: { readonly line: Waiting; timer: NodeJS.Timeout } | null = null;
  private lastId = 0;
  private isClosed = false;

  constructor(private readonly limits: EspeakLimits = ESPEAK_LIMITS) {
    this.spoken = new LRUCache({
      maxSize: limits.cacheBytes,
      sizeCalculation: ({ samples }) => samples.byteLength + 1,
    });
  }

  /** Whether the optional package is there. */
  static isInstalled(): boolean {
    try {
      createRequire(import.meta.url).resolve('@echogarden/espeak-ng-emscripten');
      return true;
    } catch {
      return false;
    }
  }

  /** Starts the process before the first line is wanted. */
  warmUp(): void {
    if (!this.isClosed) this.child ??= this.start();
  }

  /**
   * Speaks one line.
   *
   * @throws SpeechUnavailableError when too many lines wait, the line is too long, or espeak-ng does not finish it
   */
  async speak({ text, voice, speed, isPreparation }: EspeakLine): Promise<SpokenLine> {
    if (text.length > this.limits.characters) throw new SpeechUnavailableError('The line is too long');
    const wordsPerMinute = Math.round(WORDS_PER_MINUTE * speed);
    const key = `${voice} ${wordsPerMinute} ${text}`;
    const known = this.spoken.get(key);
    if (known) return known;
    // No caller waits for a preparation: it may come last.
    if (isPreparation) return this.keep(key, this.enqueue({ text, voice, wordsPerMinute }, true));
    const asked = this.underWay.get(key);
    if (asked) return asked;
    const line = this.keep(key, this.enqueue({ text, voice, wordsPerMinute }, false));
    this.underWay.set(key, line);
    return line.finally(() => this.underWay.delete(key));
  }

  close(): void {
    this.isClosed = true;
    const all = [
      ...(this.current ? [this.current.line] : []),
      ...this.waiting.splice(0),
      ...this.preparations.splice(0),
    ];
    if (this.current) clearTimeout(this.current.timer);
    this.current = null;
    this.child?.kill('SIGKILL');
    this.child = null;
    for (const { reject } of all) reject(new SpeechUnavailableError('The process is ending'));
  }

  private async keep(key: string, spoken: Promise<SpokenLine>): Promise<SpokenLine> {
    const line = await spoken;
    this.spoken.set(key, line);
    return line;
  }

  private enqueue(request: Omit<EspeakRequest, 'id'>, isPreparation: boolean): Promise<SpokenLine> {
    if (this.isClosed) return Promise.reject(new SpeechUnavailableError('The process is ending'));
    if (!isPreparation && this.waiting.length >= this.limits.queue) {
      return Promise.reject(new SpeechUnavailableError('Too many lines wait for the sandbox voice'));
    }
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      (isPreparation ? this.preparations : this.waiting).push({
        tries: 0,
        request: { ...request, id },
        resolve,
        reject,
      });
      this.sendNext();
    });
  }

  private sendNext(): void {
    if (this.current || this.isClosed) return;
    const line = this.waiting.shift() ?? this.preparations.shift();
    if (!line) return;
    line.tries += 1;
    const child = (this.child ??= this.start());
    this.current = {
      line,
      timer: this.killAfter(child, this.isReady ? this.limits.timeoutMs : this.limits.startMs),
    };
    // A process that has just died also ends with 'exit', which answers the line.
    child.send(line.request, (error) => {
      if (error) child.kill('SIGKILL');
    });
  }

  private killAfter(child: ChildProcess, ms: number): NodeJS.Timeout {
    return setTimeout(() => child.kill('SIGKILL'), ms);
  }

  private start(): ChildProcess {
    this.isReady = false;
    const child = fork(CHILD, [], {
      execArgv: LOADER,
      // Nothing of the environment: it holds secrets, and the child needs none.
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', (reply: EspeakReply) => this.receive(child, reply));
    child.on('error', () => this.forget(child));
    child.on('exit', () => this.forget(child));
    // The platform ends when its own work is done.
    child.unref();
    child.channel?.unref();
    return child;
  }

  private receive(child: ChildProcess, reply: EspeakReply): void {
    if (child !== this.child) return;
    if (!('isReady' in reply)) return this.finish(reply);
    this.isReady = true;
    if (!this.current) return;
    clearTimeout(this.current.timer);
    this.current.timer = this.killAfter(child, this.limits.timeoutMs);
  }

  private finish(reply: Exclude<EspeakReply, typeof READY>): void {
    if (this.current?.line.request.id !== reply.id) return;
    const { line, timer } = this.current;
    clearTimeout(timer);
    this.current = null;
    if ('error' in reply) line.reject(new SpeechUnavailableError(`espeak-ng failed: ${reply.error}`));
    else line.resolve({ samples: samplesOf(reply.pcm), sampleRateHz: reply.sampleRateHz });
    this.sendNext();
  }

  private forget(child: ChildProcess): void {
    if (this.child !== child) return;
    this.child = null;
    if (!this.current) return;
    const { line, timer } = this.current;
    clearTimeout(timer);
    this.current = null;
    this.logger.warn('The speech process ended while it spoke; the next line starts it anew');
    if (line.tries < TRIES) this.waiting.unshift(line);
    else line.reject(new SpeechUnavailableError('espeak-ng ended before the line was spoken'));
    this.sendNext();
  }
}

function samplesOf(pcm: Uint8Array): Int16Array {
  // A copy, as the original may begin at an odd address.
  const { buffer, byteLength } = new Uint8Array(pcm);
  return new Int16Array(buffer, 0, Math.floor(byteLength / 2));
}
