import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StorageError } from '../file-storage.js';
import { describeFileStorageConformance } from '../../../../test/conformance/file-storage.conformance.js';
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
});
