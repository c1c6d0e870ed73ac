import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Config } from '../../config/config.js';
import { openFilesTarget } from './stored-files.js';

describe('files of a backup, where the folder of stored files is a symbolic link', () => {
  let root: string;
  /** Where the link leads. */
  let disk: string;
  const open = () => openFilesTarget({ storage: {}, database: { dataDir: root } } as unknown as Config);
  const entry = (name: string) => ({ name, bytes: 3, content: Readable.from([Buffer.from('new')]) });

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'prosa-restore-'));
    disk = join(root, 'disk');
    await mkdir(join(disk, 'recordings'), { recursive: true });
    await writeFile(join(disk, 'recordings', 'old.mp3'), 'old');
    await symlink(disk, join(root, 'files'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('take the place of those that were there, and the link stays', async () => {
    const target = open();
    await target.put(entry('files/recordings/new.mp3'));
    await target.commit();
    await target.close();

    expect(await readdir(disk, { recursive: true })).toEqual(['recordings', join('recordings', 'new.mp3')]);
    expect(await readFile(join(root, 'files', 'recordings', 'new.mp3'), 'utf8')).toBe('new');
  });

  it('are gone again without a commit', async () => {
    const target = open();
    await target.put(entry('files/recordings/new.mp3'));
    await target.close();

    expect(await readdir(disk, { recursive: true })).toEqual(['recordings', join('recordings', 'old.mp3')]);
  });
});
