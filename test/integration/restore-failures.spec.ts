import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseDump } from '../../src/database/backup/dump-database.js';
import { DatabaseLoad } from '../../src/database/backup/load-database.js';
import type { Manifest } from '../../src/database/backup/manifest.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';

const FOLDERS = { name: 'folders', columns: ['id'] };

describe('a restore whose rows the server refuses', () => {
  let database: TestDatabase;
  let load: DatabaseLoad;

  beforeEach(async () => {
    database = await cloneDatabase();
    const dump = await DatabaseDump.open(database.url);
    const described = await dump.describe();
    await dump.close();
    load = await DatabaseLoad.open(database.url);
    const manifest: Manifest = {
      ...described,
      format: 1,
      version: '0.6.0',
      createdAt: '2026-11-30T00:00:00.000Z',
      keyIds: ['key'],
      files: 'local',
    };
    await load.begin(manifest, []);
  });
  afterEach(async () => {
    await database.drop();
  });

  /** The server answers while the file is read. */
  async function* refusedRows(): AsyncGenerator<Buffer> {
    yield Buffer.from('no number\n');
    await sleep(500);
    yield Buffer.from('1\n');
  }

  it('ends with the reason of the server, and leaves the database as it was', async () => {
    const entry = { name: 'tables/folders/000001', bytes: 12, content: Readable.from(refusedRows()) };
    await expect(load.load(FOLDERS, entry)).rejects.toThrow(
      'The database does not take the rows (invalid input syntax for type integer: "no number"): nothing was changed.',
    );
    await load.close();
    const dump = await DatabaseDump.open(database.url);
    expect((await dump.describe()).tables.map(({ name }) => name)).toContain('folders');
    await dump.close();
  });
});
