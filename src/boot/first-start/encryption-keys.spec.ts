import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EncryptionKeyError } from '../../modules/encryption-keys/encryption-key.error.js';
import { encryptionKeys } from './encryption-keys.js';

const inNewDatabase = async () => false;

describe('the keys for stored secrets', () => {
  let folder: string;
  let dataDir: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-keys-'));
    dataDir = join(folder, 'data');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are those of the environment, and then no file is made', async () => {
    expect(await encryptionKeys(['one', 'two'], dataDir, async () => true)).toEqual(['one', 'two']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('are one of 32 bytes, made once, kept in a file for the owner alone', async () => {
    const [key = ''] = await encryptionKeys(undefined, dataDir, inNewDatabase);
    expect(Buffer.from(key, 'base64')).toHaveLength(32);
    expect(await encryptionKeys(undefined, dataDir, async () => true)).toEqual([key]);
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
    expect(await readFile(join(dataDir, 'encryption.key'), 'utf8')).toBe(`${key}\n`);
    expect((await stat(join(dataDir, 'encryption.key'))).mode & 0o777).toBe(0o600);
  });

  it('are not made where there are accounts, whose secrets they would not open', async () => {
    const made = encryptionKeys(undefined, dataDir, async () => true);
    await expect(made).rejects.toThrow(EncryptionKeyError);
    await expect(made).rejects.toThrow(
      `There are accounts in this database, and no encryption key in ${dataDir}`,
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('are the same for many first starts at once', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, () => encryptionKeys(undefined, dataDir, inNewDatabase)),
    );
    expect(new Set(made.flat()).size).toBe(1);
    expect(await readdir(dataDir)).toEqual(['encryption.key']);
  });
});
