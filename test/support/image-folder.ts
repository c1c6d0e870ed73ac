import { cp, mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Makes a folder with what the Dockerfile copies into the image, from the files of a built product. Plugins are none. */
export async function imageFolder(): Promise<string> {
  const dockerfile = await readFile('docker/Dockerfile', 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \S+ \/app\/(\S+)/gm)].map(
    ([, name = '']) => name,
  );
  const folder = await mkdtemp(join(tmpdir(), 'prosa-image-'));
  for (const name of copied) {
    // Programs find their package by where they really are.
    if (['node_modules', 'web'].includes(name)) await symlink(resolve(name), join(folder, name));
    else if (name === 'plugins') await mkdir(join(folder, name));
    else await cp(name, join(folder, name), { recursive: true });
  }
  await mkdir(join(folder, '.prosa'));
  return folder;
}
