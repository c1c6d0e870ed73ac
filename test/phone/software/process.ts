import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program of others, with a folder of its own that goes away with it. */
export class ForeignProcess {
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

  static start(program: string, args: readonly string[], folder: string): ForeignProcess {
    // A group of its own, as Kamailio has children. Its input stays open: baresip ends with it.
    const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
    const exited = new Promise<number | null>((resolve) => {
      child.once('exit', resolve);
      child.once('error', () => resolve(null));
    });
    const started = new ForeignProcess(child, folder, exited);
    const note = (bytes: Buffer) => {
      started.output = (started.output + bytes.toString('latin1')).slice(-200_000);
    };
    child.stdout?.on('data', note);
    child.stderr?.on('data', note);
    return started;
  }

  async stop(): Promise<void> {
    if (this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null) {
      process.kill(-this.child.pid, 'SIGTERM');
      const forced = setTimeout(() => this.child.pid && process.kill(-this.child.pid, 'SIGKILL'), 3_000);
      await this.exited;
      clearTimeout(forced);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
