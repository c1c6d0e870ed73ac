import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessPlan {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment besides PATH and HOME. */
  readonly environment: Readonly<Record<string, string>>;
  /** Takes what it writes to standard output; may lie on a disk that gets full. */
  readonly logFile: string;
  readonly errorFile: string;
  /** What the log holds when the process is ready; the first group is its address. */
  readonly readyWhen: RegExp;
}

const READY_MS = 240_000;
const TAIL_CHARACTERS = 1_500;

/** A process that is killed, frozen and started again on purpose, and whose other ends are noticed. */
export class ManagedProcess {
  private child: ChildProcess | null = null;
  private expected = false;
  /** Unexpected ends, with the last lines of output. */
  readonly unwantedEnds: string[] = [];

  constructor(readonly plan: ProcessPlan) {}

  get pid(): number {
    return this.child?.pid ?? 0;
  }

  get isRunning(): boolean {
    const { child } = this;
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
  }

  /** Returns the address when it is ready. @throws when it ends or says nothing in time */
  async start(): Promise<string> {
    const { name, file, args, environment, logFile, errorFile } = this.plan;
    const { PATH = '', HOME = '' } = process.env;
    const seen = sizeOf(logFile);
    const out = openSync(logFile, 'a');
    const err = openSync(errorFile, 'a');
    const child = spawn(file, args, { env: { PATH, HOME, ...environment }, stdio: ['ignore', out, err] });
    closeSync(out);
    closeSync(err);
    this.child = child;
    this.expected = false;
    // A program that is not there has no process either; what waits for it says so.
    child.once('error', () => undefined);
    child.once('exit', (code, signal) => {
      if (this.expected) return;
      this.unwantedEnds.push(`${name} ended with ${code ?? signal}: ${this.lastWords()}`);
    });
    const deadline = performance.now() + READY_MS;
    while (performance.now() < deadline) {
      const ready = this.plan.readyWhen.exec(textOf(logFile).slice(seen));
      if (ready) return ready[1] ?? '';
      if (!this.isRunning) break;
      await sleep(20);
    }
    throw new Error(`${name} did not get ready:\n${textOf(logFile)}\n${textOf(errorFile)}`);
  }

  /** Ends it at once; returns when it is gone. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Starts it again if it ended, wanted or not. */
  async ensureRunning(): Promise<void> {
    if (!this.isRunning) await this.start();
  }

  async stop(graceMs = 40_000): Promise<void> {
    const timer = setTimeout(() => this.child?.kill('SIGKILL'), graceMs);
    await this.end('SIGTERM');
    clearTimeout(timer);
  }

  log(): string {
    return textOf(this.plan.logFile);
  }

  /** What it wrote of its end: fatal lines of the log first. */
  private lastWords(): string {
    const log = textOf(this.plan.logFile);
    const fatal = log.split('\n').filter((line) => line.includes('"level":60'));
    const words = fatal.join('\n') || textOf(this.plan.errorFile) || log;
    return fatal.length > 0 ? words.slice(0, TAIL_CHARACTERS) : words.slice(-TAIL_CHARACTERS);
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { child } = this;
    if (!child || !this.isRunning) return;
    this.expected = true;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A frozen process does not hear SIGTERM.
    child.kill('SIGCONT');
    await ended;
  }
}

function textOf(file: string): string {
  return readFileSync(file, 'utf8');
}

function sizeOf(file: string): number {
  closeSync(openSync(file, 'a'));
  return textOf(file).length;
}
