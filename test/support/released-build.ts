import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const COMMIT = readFileSync(new URL('../releases/0.5.0/commit', import.meta.url), 'utf8').trim();

/** Whether this checkout has the history that the last release is built from. A download without history has not. */
export const hasRelease = isInHistory();

/** The last release, built in a folder of its own with the packages of this checkout. */
export class ReleasedBuild {
  private constructor(readonly folder: string) {}

  static async make(): Promise<ReleasedBuild> {
    const folder = await mkdtemp(join(tmpdir(), 'prosa-release-'));
    const archive = join(folder, 'release.tar');
    await run('git', ['archive', '--output', archive, COMMIT]);
    await run('tar', ['-xf', archive, '-C', folder]);
    await symlink(resolve('node_modules'), join(folder, 'node_modules'));
    await run(process.execPath, ['scripts/build-server.mjs'], { cwd: folder });
    return new ReleasedBuild(folder);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

function isInHistory(): boolean {
  if (!existsSync('.git')) return false;
  try {
    execFileSync('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
