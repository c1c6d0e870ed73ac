import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Progress } from '../../src/boot/backup/progress.js';
import { readBackup } from '../../src/boot/backup/restore.js';
import { openFilesTarget } from '../../src/boot/backup/stored-files.js';
import { keyIdOf } from '../../src/common/crypto/secret-box.js';
import type { Config } from '../../src/config/config.js';
import { BackupWriter } from '../../src/database/backup/backup-writer.js';
import { FORMAT, MANIFEST } from '../../src/database/backup/manifest.js';

const KEY = Buffer.alloc(32, 7).toString('base64');
const S3 = {
  endpoint: new URL('http://127.0.0.1:1'),
  bucket: 'files',
  region: 'auto',
  keys: { accessKeyId: 'a', secretAccessKey: 'b' },
  role: { webIdentity: undefined, container: undefined, metadataEndpoint: 'http://127.0.0.1:1' },
};

describe('a crafted backup', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'prosa-crafted-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const configOf = (storage: object) =>
    ({
      storage,
      database: { dataDir: join(root, 'data') },
      security: { encryptionKeys: [KEY] },
    }) as unknown as Config;

  async function crafted(files: readonly string[], differences: object = {}): Promise<string> {
    const path = join(root, 'crafted.backup');
    const writer = await BackupWriter.open(path);
    const manifest = {
      format: FORMAT,
      version: '0.3.0',
      createdAt: '2030-01-01T00:00:00Z',
      migrations: [],
      tables: [],
      sequences: [],
      keyIds: [keyIdOf(KEY)],
      files: 'local',
      ...differences,
    };
    await writer.add(MANIFEST, Buffer.from(JSON.stringify(manifest)));
    for (const name of files) await writer.add(`files/${name}`, Buffer.from('crafted'));
    await writer.close();
    return path;
  }

  describe.each([
    { target: 'a folder', storage: {} },
    { target: 'a bucket', storage: { s3: S3 } },
  ])('for $target', ({ storage }) => {
    it.each([
      '../../../outside.txt',
      'documents/../../../outside.txt',
      '/etc/cron.d/outside',
      'documents/..\\..\\outside.txt',
      './outside.txt',
      '.folder-id',
      'documents/.hidden',
      'documents//outside.txt',
      'a b',
      '',
      'x'.repeat(513),
    ])('is refused before anything is written, with a file %j', async (name) => {
      const path = await crafted(['documents/1/good.txt', name]);
      await expect(readBackup(configOf(storage), path, true, new Progress())).rejects.toThrow(
        /names a file .+ that no Prosa stores: nothing was changed\./,
      );
      expect(await readdir(root)).toEqual(['crafted.backup']);
    });
  });

  it('is read when all of its files have keys', async () => {
    const path = await crafted(['documents/1/2/0b7e.pdf', 'recordings/a_b-c.ogg']);
    const { checksums } = await readBackup(configOf({}), path, true, new Progress());
    expect(Object.keys(checksums.entries)).toHaveLength(3);
  });

  it('writes no file outside of the folder when its entries are put without that check', async () => {
    const target = openFilesTarget(configOf({}));
    const entry = { name: 'files/../../outside.txt', bytes: 3, content: Readable.from(['new']) };
    await expect(target.put(entry)).rejects.toThrow('key');
    await target.close();
    expect(await readdir(root, { recursive: true })).not.toContain('outside.txt');
  });

  it('is refused without the id of a key', async () => {
    const path = await crafted([], { keyIds: [] });
    await expect(readBackup(configOf({}), path, true, new Progress())).rejects.toThrow(
      'names no encryption key: nothing was changed.',
    );
  });
});
