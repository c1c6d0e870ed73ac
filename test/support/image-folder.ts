import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { copyOf, Dockerfile } from './dockerfile.js';

const run = promisify(execFile);

/** Folders that the build stage makes, and that are empty in a checkout without plugins. */
const EMPTY = ['plugins', '.prosa'];

/**
 * Makes a folder with what the Dockerfile copies into an image, from the files of a built product. Plugins are none.
 *
 * @param target the image
 * @param packages the folder of its installed packages; those of this checkout when left out
 */
export async function imageFolder(target: 'api' | 'voice' = 'voice', packages?: string): Promise<string> {
  const dockerfile = await Dockerfile.read();
  const folder = await mkdtemp(join(tmpdir(), 'prosa-image-'));
  for (const { stage, sources, target: to } of dockerfile.copiesOf(target)) {
    const [name = ''] = sources;
    await mkdir(dirname(join(folder, to)), { recursive: true });
    // Programs find their package by where they really are.
    if (name === 'node_modules') await symlink(resolve(packages ?? '.', name), join(folder, to));
    else if (EMPTY.includes(name)) await mkdir(join(folder, to));
    else if (stage === 'build') await cp(name, join(folder, to), { recursive: true });
    else if (packages !== undefined) await cp(join(packages, name), join(folder, to));
  }
  return folder;
}

/** Runs the steps of a stage that installs packages, in a new folder of the system's temporary folder. */
export async function installedPackages(stage: string): Promise<string> {
  const dockerfile = await Dockerfile.read();
  const folder = await mkdtemp(join(tmpdir(), 'prosa-packages-'));
  for (const { word, text } of dockerfile.instructionsOf(stage)) {
    if (word === 'RUN') await run('sh', ['-ec', text], { cwd: folder, maxBuffer: 16 * 1024 * 1024 });
    if (word !== 'COPY') continue;
    const { sources, target } = copyOf(text);
    for (const source of sources) {
      const to = target === './' ? source : target;
      await mkdir(dirname(join(folder, to)), { recursive: true });
      await cp(source, join(folder, to), {
        recursive: true,
        filter: (path) => !path.endsWith('/node_modules'),
      });
    }
  }
  return folder;
}
