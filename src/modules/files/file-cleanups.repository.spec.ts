import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.js';
import { withDatabase } from '../../database/open-database.js';
import { FileCleanupsRepository } from './file-cleanups.repository.js';

describe('FileCleanupsRepository', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await cloneDatabase();
  });
  afterAll(() => database.drop());

  it('puts a file off for an hour at most, however often it could not be deleted, and claims the others', async () => {
    await withDatabase(database.url, async (rows) => {
      const cleanups = new FileCleanupsRepository(rows);
      await cleanups.plan(['stuck', 'new'], 0);
      await rows.query("UPDATE file_cleanups SET attempts = 2000 WHERE file_key = 'stuck'");

      expect((await cleanups.claimDue()).sort()).toEqual(['new', 'stuck']);

      const [stuck] = await rows.query(
        "SELECT attempts, due_at BETWEEN now() + interval '59 minutes' AND now() + interval '1 hour' AS due FROM file_cleanups WHERE file_key = 'stuck'",
      );
      expect(stuck).toEqual({ attempts: 2001, due: true });
    });
  });
});
