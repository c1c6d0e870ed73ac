import { afterEach, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cleanUp, makeFolder } from '../../../test/support/embedded-postgres.js';
import { findPlatformPackage, POSTGRES_MAJOR, Programs } from './programs.js';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

const ACCOUNT = { wrapper: [] };

afterEach(cleanUp);

/** The package as it is when its install script was not run: without the links, which the package list names. */
async function copyPackageWithoutLinks(): Promise<string> {
  const packageDir = join(await makeFolder(), 'package');
  await cp(findPlatformPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
  const list = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'));
  await Promise.all(
    list.map(({ target }: { target: string }) => rm(join(packageDir, target), { force: true })),
  );
  return packageDir;
}

describe('the platform package', () => {
  test('is found through the dependency and holds the version we claim', async () => {
    const programs = await Programs.prepare(findPlatformPackage(), '/nonexistent', ACCOUNT);
    const { output } = await programs.run('postgres', ['--version']);
    expect(output).toContain(`(PostgreSQL) ${POSTGRES_MAJOR}.`);
  });

  test('that does not exist for a machine is reported with the way out', () => {
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
    test('are made in a folder of ours, so that the programs run', async () => {
      const packageDir = await copyPackageWithoutLinks();
      await expect(
        promisify(execFile)(join(packageDir, 'native', 'bin', 'initdb'), ['--version']),
      ).rejects.toThrow('error while loading shared libraries');
      const spareDir = join(await makeFolder(), 'libraries');
      // Again, as at a second start.
      for (const _start of [1, 2]) {
        const programs = await Programs.prepare(packageDir, spareDir, ACCOUNT);
        expect(await programs.run('initdb', ['--version'])).toMatchObject({ succeeded: true });
      }
    });
  },
);

// The loader of a system without glibc is missing in the same way as the interpreter of this script.
(process.platform === 'linux' ? test : test.skip)(
  'programs whose loader is missing are reported as a system without glibc',
  async () => {
    const packageDir = await makeFolder();
    const bin = join(packageDir, 'native', 'bin');
    await mkdir(bin, { recursive: true });
    for (const program of ['initdb', 'pg_ctl', 'postgres'])
      await writeFile(join(bin, program), '#!/lib/ld-absent.so\n', { mode: 0o644 });
    const programs = await Programs.prepare(packageDir, '/nonexistent', ACCOUNT);
    await expect(programs.run('initdb', [])).rejects.toMatchObject({
      name: 'EmbeddedPostgresError',
      message: expect.stringMatching(
        /needs the GNU C library, which systems such as Alpine do not have\): set DATABASE_URL/,
      ),
    });
    expect(await readdir(bin)).toEqual(['initdb', 'pg_ctl', 'postgres']);
  },
);
