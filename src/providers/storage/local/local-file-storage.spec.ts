import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageError } from '../file-storage.js';
import { describeFileStorageConformance } from '#test/conformance/file-storage.conformance.js';
import { LocalFileStorage } from './local-file-storage.js';

let folder: string;
let storage: LocalFileStorage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prosa-storage-'));
  storage = new LocalFileStorage(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describeFileStorageConformance('LocalFileStorage', () => storage);

describe('a local file', () => {
  it('is whole or not there: of what broke off nothing is left', async () => {
    const content = Readable.from([Buffer.from('three bytes too many')]);

    await expect(
      storage.put('short/a.txt', content, { bytes: 3, contentType: 'text/plain' }),
    ).rejects.toThrow(StorageError);

    expect(await readdir(join(folder, 'short'))).toEqual([]);
  });

  it('leaves a part behind when its process is killed, which is deleted after a day', async () => {
    const [old, young] = ['a.txt', 'b.txt'].map((name) => `${name}.${randomUUID()}.part`);
    await mkdir(join(folder, 'killed', 'deep'), { recursive: true });
    const of = (name = '') => join(folder, 'killed', 'deep', name);
    for (const name of [old, young, 'whole.txt']) await writeFile(of(name), 'x');
    const dayBefore = new Date(Date.now() - 25 * 3_600_000);
    for (const name of [old, 'whole.txt']) await utimes(of(name), dayBefore, dayBefore);

    expect(await storage.deleteUnfinished()).toBe(1);

    expect((await readdir(of())).sort()).toEqual([young, 'whole.txt']);
  });

  it('deletes the parts of a folder in which another is gone before it is looked at', async () => {
    const parts = Array.from({ length: 3 }, () => `a.txt.${randomUUID()}.part`).sort();
    const of = (name = '') => join(folder, 'finished', name);
    await mkdir(of(), { recursive: true });
    const dayBefore = new Date(Date.now() - 25 * 3_600_000);
    for (const [at, name] of parts.entries()) {
      // Listed, and not there when it is asked for: as a file that was stored since.
      if (at === 0) await symlink(of('nowhere'), of(name));
      else await writeFile(of(name), 'x').then(() => utimes(of(name), dayBefore, dayBefore));
    }

    expect(await storage.deleteUnfinished()).toBe(2);

    expect(await readdir(of())).toEqual(parts.slice(0, 1));
  });
});
