import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program of others, with a folder of its own that goes away with it. */
export class ForeignProcess {
  /** Processes that have not been stopped yet. */
  private static readonly running = new Set<ForeignProcess>();

  output = '';

  private constructor(
    private readonly child: ChildProcess,
    readonly folder: string,
    /** Its exit code; null when a signal ended it. */
    readonly exited: Promise<number | null>,
  ) {}

  static makeFolder(name: string): string {
    return mkdtempSync(join(tmpdir(), `prosa-${name}-`));
  }

  /** @param more where it is to run and in which environment, where that matters */
  static start(
    program: string,
    args: readonly string[],
    folder: string,
    more: Pick<SpawnOptions, 'cwd' | 'env'> = {},
  ): ForeignProcess {
    // A group of its own, as Kamailio has children. Its input stays open: baresip ends with it.
    const child = spawn(program, args, {
      cwd: folder,
      ...more,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve) => {
      child.once('exit', resolve);
      child.once('error', () => resolve(null));
    });
    const started = new ForeignProcess(child, folder, exited);
    ForeignProcess.running.add(started);
    const note = (bytes: Buffer) => {
      started.output = (started.output + bytes.toString('latin1')).slice(-200_000);
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    return started;
  }

  /** Stops whatever runs, but these: what a scene that failed or hung has left behind. */
  static async stopAll(except: ReadonlySet<ForeignProcess> = new Set()): Promise<void> {
    await Promise.all([...ForeignProcess.running].filter((one) => !except.has(one)).map((one) => one.stop()));
  }

  /** At once, for the end of this process. */
  static killAll(): void {
    for (const { child, folder } of ForeignProcess.running) {
      if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    }
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  async stop(patienceMs = 3_000): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid !== undefined && exitCode === null && signalCode === null) {
      signalGroup(pid, 'SIGTERM');
      const forced = setTimeout(() => signalGroup(pid, 'SIGKILL'), patienceMs);
      await this.exited;
      clearTimeout(forced);
    }
    rmSync(this.folder, { recursive: true, force: true });
    ForeignProcess.running.delete(this);
  }
}

/** Signals the children too; a group that has already ended is no error. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
