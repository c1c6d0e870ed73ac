import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { Binaries, PostgresProgram } from './binaries.js';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { ServerAccount } from './server-account.js';

/** Runs PostgreSQL's programs under the chosen account and with nothing of Prosa's environment. */
export class ProgramRunner {
  constructor(
    private readonly binaries: Binaries,
    readonly account: ServerAccount,
  ) {}

  /** Runs a program to its end. Rejects only when it could not be started. */
  run(program: PostgresProgram, args: readonly string[]): Promise<{ succeeded: boolean; output: string }> {
    return new Promise((resolve, reject) => {
      const child = this.spawn(program, args, ['ignore', 'pipe', 'pipe']);
      let output = '';
      const collect = (chunk: Buffer) => (output += chunk.toString());
      child.stdout?.on('data', collect);
      child.stderr?.on('data', collect);
      child.on('error', (error) => reject(this.explain(program, error)));
      child.on('close', (code) => resolve({ succeeded: code === 0, output }));
    });
  }

  /**
   * Starts a program in a session of its own: Ctrl-C goes to every process of the terminal's group, and would
   * stop the server before Prosa has drained.
   */
  spawn(program: PostgresProgram, args: readonly string[], stdio: StdioOptions): ChildProcess {
    const { ids, wrapper } = this.account;
    const [file, ...rest] = [...wrapper, this.binaries.programs[program], ...args];
    const ownIds = wrapper.length > 0 ? {} : ids;
    return spawn(String(file), rest, {
      ...ownIds,
      cwd: '/',
      detached: true,
      stdio,
      env: this.environment(),
      windowsHide: true,
    });
  }

  /** What went wrong when the system refused to start a program. */
  explain(program: PostgresProgram, error: Error): EmbeddedPostgresError {
    // The file is there (it was checked), so what is missing is the loader it names: a system without glibc.
    const reason =
      codeOf(error) === 'ENOENT' && process.platform === 'linux'
        ? 'it needs the GNU C library, which systems such as Alpine do not have'
        : error.message;
    return new EmbeddedPostgresError(
      `The embedded PostgreSQL's program ${this.binaries.programs[program]} cannot be started (${reason}): ` +
        'set DATABASE_URL to an existing PostgreSQL.',
    );
  }

  /**
   * PG… variables and locales of the operator's shell would change the server, and its secrets are none of the
   * database's business. Windows needs some of its variables to start anything.
   */
  private environment(): NodeJS.ProcessEnv | undefined {
    if (process.platform === 'win32') return undefined;
    const folders = this.binaries.libraryDirs.join(':');
    const search = folders ? { LD_LIBRARY_PATH: folders, DYLD_LIBRARY_PATH: folders } : {};
    return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...search };
  }
}
