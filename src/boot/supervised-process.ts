import { type ChildProcess, fork } from 'node:child_process';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The exit code of a start that has printed its reason: a restart would fail in the same way. */
const PLAIN_FAILURE = 1;

/** What a program sends to the process that has started it. */
const READY = 'prosa:ready';

/** For the process that supervises this one, where there is any. */
export function sayReady(): void {
  // A supervisor that is gone ends this process by its channel; no process receives the message then.
  if (process.connected) process.send?.(READY, () => undefined);
}

export interface Supervision {
  /** In sentences for the operator. */
  readonly name: string;
  readonly environment: NodeJS.ProcessEnv | undefined;
  /** The wait before the program is started again; it doubles with each quick end. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** An end so soon after the start is a quick one. */
  readonly quickMs: number;
  /** After so many quick ends in a row a restart is pointless. */
  readonly maxQuickEnds: number;
  readonly say: (line: string) => void;
}

const DEFAULTS: Supervision = {
  name: 'Prosa',
  environment: undefined,
  firstDelayMs: 500,
  maxDelayMs: 15_000,
  quickMs: 60_000,
  maxQuickEnds: 5,
  say: (line) => void process.stderr.write(`\n${line}\n`),
};

interface End {
  /** A signal counts as a code, as in a shell. */
  readonly code: number;
  readonly reason: string;
}

/**
 * Runs a program in a process of its own, and restarts it after an unexpected end. It is not restarted when it ends
 * in order, fails at its start with a message (exit code 1), or ends quickly too often. The program sees by its IPC
 * channel when this process is gone.
 */
export class SupervisedProcess {
  private readonly stopping = new AbortController();
  private child: ChildProcess | null = null;
  /** The exit code of the last run. */
  readonly ended: Promise<number>;
  /** Resolves when the program has said for the first time that all of it is ready, see {@link sayReady}. */
  readonly ready: Promise<void>;
  private becameReady: () => void = () => undefined;

  private constructor(
    private readonly program: string,
    private readonly how: Supervision,
  ) {
    this.ready = new Promise((resolve) => (this.becameReady = resolve));
    this.ended = this.run();
  }

  static start(program: string, how: Partial<Supervision> = {}): SupervisedProcess {
    return new SupervisedProcess(program, { ...DEFAULTS, ...how });
  }

  /** Hands a signal on, after which the program is not started again; see `ended`. */
  stop(signal: NodeJS.Signals): void {
    this.stopping.abort();
    this.child?.kill(signal);
  }

  private async run(): Promise<number> {
    const { signal } = this.stopping;
    let quickEnds = 0;
    for (;;) {
      const startedAt = performance.now();
      const end = await this.runOnce();
      if (signal.aborted || end.code === 0 || end.code === PLAIN_FAILURE) return end.code;
      quickEnds = performance.now() - startedAt < this.how.quickMs ? quickEnds + 1 : 0;
      if (!this.isWorthAnother(quickEnds, end)) return end.code;
      await this.pause(quickEnds, end);
      if (signal.aborted) return end.code;
    }
  }

  private async runOnce(): Promise<End> {
    // In a process group of its own: Ctrl-C reaches every process of the terminal's group, and a second signal means "now".
    this.child = fork(this.program, [], {
      stdio: 'inherit',
      detached: process.platform !== 'win32',
      ...(this.how.environment ? { env: this.how.environment } : {}),
    });
    this.child.on('message', (message) => {
      if (message === READY) this.becameReady();
    });
    const end = await endOf(this.child);
    this.child = null;
    return end;
  }

  private isWorthAnother(quickEnds: number, { reason }: End): boolean {
    const { name, maxQuickEnds, say } = this.how;
    if (quickEnds < maxQuickEnds) return true;
    say(
      `${name} ended ${quickEnds} times in a row soon after its start (${reason}), and is not started again.`,
    );
    return false;
  }

  private async pause(quickEnds: number, { reason }: End): Promise<void> {
    const { name, firstDelayMs, maxDelayMs, say } = this.how;
    const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** quickEnds);
    say(`${name} ended unexpectedly (${reason}). It is started again in ${delayMs / 1_000} s.`);
    await sleep(delayMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}

function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => {
    // Stays: a signal that could not be handed on is reported here too.
    child.on('error', (error) => {
      if (child.pid === undefined) resolve({ code: 70, reason: error.message });
    });
    child.on('exit', (code, signal) => {
      resolve(
        signal === null
          ? { code: code ?? 0, reason: `exit code ${code}` }
          : { code: 128 + constants.signals[signal], reason: signal },
      );
    });
  });
}
