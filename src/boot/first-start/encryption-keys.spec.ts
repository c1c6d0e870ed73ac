import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { encryptionKeys } from './encryption-keys.js';

describe('the keys for stored secrets', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-keys-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are those of the environment, and then no file is made', async () => {
    expect(await encryptionKeys(['one', 'two'], dataDir)).toEqual(['one', 'two']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are one of 32 bytes, made once, kept in a file for the owner alone', async () => {
    const [key = ''] = await encryptionKeys(undefined, dataDir);
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(await encryptionKeys(undefined, dataDir)).toEqual([key]);
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
    expect(await readFile(join(dataDir, 'encryption.key'), 'utf8')).toBe(`${key}\n`);
    expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600);
  });

  it('are the same for many first starts at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => encryptionKeys(undefined, dataDir)));
    expect(new Set(made.flat()).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
  });
});
