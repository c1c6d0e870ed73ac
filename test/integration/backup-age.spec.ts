import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordBackup } from '../../src/boot/backup/record-backup.js';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { TestApp } from '../support/app.js';
import { emptyDatabase } from '../support/database.js';

describe('the time of the last backup', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  async function shown(): Promise<number | null> {
    const text = await app.app.get(MetricsService).read();
    const found = /^prosa_last_backup_timestamp_seconds (\S+)$/m.exec(text);
    return found ? Number(found[1]) : null;
  }

  it('has no value until a backup is recorded, so that no alert fires', async () => {
    expect(await shown()).toBeNull();
  });

  it('is that of the newest one, also where an older one ends later', async () => {
    expect(await recordBackup(app.database.url, new Date(2_000_000))).toBeNull();
    expect(await recordBackup(app.database.url, new Date(1_000_000))).toBeNull();
    expect(await shown()).toBe(2_000);
  });

  it('is missing in a database of an older release, whose backup is complete all the same', async () => {
    const older = await emptyDatabase();
    expect(await recordBackup(older.url, new Date())).toMatch(/^The backup is complete\. .*not recorded/);
    await older.drop();
  });
});
