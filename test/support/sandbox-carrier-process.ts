import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { SandboxDialLog } from '../../src/providers/telephony/sandbox/sandbox-dial-log.js';

/** The sandbox carrier in a process of its own, which outlives the workers and knows what was really dialled. */
export class SandboxCarrierProcess {
  private constructor(
    private readonly child: ChildProcess,
    readonly url: string,
  ) {}

  /** Needs the built product. */
  static async start(options: { journal: string; speed: number }): Promise<SandboxCarrierProcess> {
    const { journal, speed } = options;
    const child = spawn(
      process.execPath,
      ['dist/cli/sandbox-carrier.js', '--port', '0', '--journal', journal, '--speed', String(speed)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString('utf8')) as { url: string };
    return new SandboxCarrierProcess(child, url);
  }

  async log(): Promise<SandboxDialLog> {
    const response = await fetch(`${this.url}/log`);
    return (await response.json()) as SandboxDialLog;
  }

  async stop(): Promise<void> {
    this.child.kill('SIGTERM');
    if (this.child.exitCode === null) await once(this.child, 'exit');
  }
}
