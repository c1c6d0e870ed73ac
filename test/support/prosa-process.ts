import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { environmentSchema } from '../../src/config/environment.js';

const run = promisify(execFile);

export type Program = 'dist/main.js' | 'node_modules/prosa/dist/main.js' | 'scripts/start.mjs' | 'npm start';

/**
 * Compiles the product if it is not up to date: process tests run what `npm start` runs.
 *
 * @param options other parts that are wanted, as `buildIfNeeded` names them
 */
export async function buildProduct(
  options: { readonly pages?: boolean; readonly pluginTypes?: boolean } = {},
): Promise<void> {
  await run(process.execPath, [
    '--input-type=module',
    '-e',
    `await (await import('./scripts/build-if-needed.mjs')).buildIfNeeded(${JSON.stringify(options)})`,
  ]);
}

/** An unknown name would make a test pass for another reason than it says. */
const isKnown = (name: string) =>
  name in environmentSchema.shape || name.startsWith('OTEL_') || name.startsWith('NODE_');

/** A Prosa in a process of its own. */
export class ProsaProcess {
  private output = '';

  private constructor(private readonly child: ChildProcess) {
    const collect = (text: Buffer) => {
      this.output += text.toString('utf8');
    };
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
  }

  /**
   * @param environment the whole environment besides PATH; nothing of the test run leaks in
   * @param program `scripts/start.mjs` to run it under its supervisor, as `npm start` does; the process is npm for that one
   * @param folder where it is started, and the program is; this checkout when left out
   */
  static start(
    environment: Record<string, string>,
    program: Program = 'dist/main.js',
    folder?: string,
  ): ProsaProcess {
    const unknown = Object.keys(environment).filter((name) => !isKnown(name));
    if (unknown.length > 0) throw new Error(`Prosa reads no variable ${unknown.join(', ')}`);
    const { PATH = '', HOME = '' } = process.env;
    const [command, word] = program === 'npm start' ? ['npm', 'start'] : [process.execPath, program];
    return new ProsaProcess(
      spawn(command, [word], {
        cwd: folder,
        env: { PATH, HOME, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  get text(): string {
    return this.output;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Waits for the banner and returns the address it names. */
  async ready(timeoutMs = 60_000): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      const url = /API\s+(\S+)\/api/.exec(this.output)?.[1];
      if (url && this.output.includes('Model ')) return url;
      if (this.child.exitCode !== null)
        throw new Error(`Prosa ended with ${this.child.exitCode}:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`Prosa was not ready in time:\n${this.output}`);
  }

  /** Waits until it says that, and returns the part in parentheses. */
  async says(words: RegExp, timeoutMs = 60_000): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      const said = words.exec(this.output);
      if (said) return said[1] ?? '';
      if (this.child.exitCode !== null)
        throw new Error(`Prosa ended with ${this.child.exitCode}:\n${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`Prosa did not say ${words} in time:\n${this.output}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The exit code; null when a signal ended it. */
  async exit(timeoutMs = 90_000): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const signal = AbortSignal.timeout(timeoutMs);
      await once(this.child, 'exit', { signal }).catch((cause: unknown) => {
        throw new Error(`Prosa did not end in time:\n${this.output}`, { cause });
      });
    }
    return this.child.exitCode;
  }

  async stop(): Promise<number | null> {
    this.kill('SIGTERM');
    return this.exit();
  }
}
