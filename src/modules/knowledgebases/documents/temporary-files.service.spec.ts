import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { until } from '#test/support/until.js';
import { Logger } from '../../../common/observability/logger.js';
import type { DatabaseConfig } from '../../../config/config.js';
import { INGESTION_FOLDER_PREFIX, TemporaryFilesService, uploadsFolder } from './temporary-files.service.js';

it('deletes temporary files that were left a day ago, and no newer ones', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'prosa-temporary-test-'));
  const uploads = uploadsFolder({ dataDir });
  await mkdir(uploads);
  for (const name of ['old', 'new']) await writeFile(join(uploads, name), 'x');
  const reading = await mkdtemp(join(tmpdir(), INGESTION_FOLDER_PREFIX));
  await writeFile(join(reading, 'source'), 'x');
  const dayBefore = new Date(Date.now() - 25 * 3_600_000);
  for (const path of [join(uploads, 'old'), reading]) await utimes(path, dayBefore, dayBefore);
  const service = new TemporaryFilesService({ dataDir } as DatabaseConfig, Logger.create('silent'));

  expect(await service.sweep()).toBeGreaterThanOrEqual(2);

  expect(await readdir(uploads)).toEqual(['new']);
  await expect(stat(reading)).rejects.toThrow('ENOENT');
  await rm(dataDir, { recursive: true });
});

it('looks for them when its process starts, whatever the role', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'prosa-temporary-test-'));
  const upload = join(uploadsFolder({ dataDir }), 'old');
  await mkdir(uploadsFolder({ dataDir }));
  await writeFile(upload, 'x');
  const dayBefore = new Date(Date.now() - 25 * 3_600_000);
  await utimes(upload, dayBefore, dayBefore);
  const service = new TemporaryFilesService({ dataDir } as DatabaseConfig, Logger.create('silent'));

  service.onApplicationBootstrap();

  await until(async () => (await readdir(uploadsFolder({ dataDir }))).length === 0);
  service.onModuleDestroy();
  await rm(dataDir, { recursive: true });
});

it('has nothing to do where nothing was ever uploaded', async () => {
  const nowhere = { dataDir: join(tmpdir(), 'prosa-not-there') } as DatabaseConfig;

  await expect(
    new TemporaryFilesService(nowhere, Logger.create('silent')).sweep(),
  ).resolves.toBeGreaterThanOrEqual(0);
});
