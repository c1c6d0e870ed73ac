import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { RecordingSpoolService } from '../../src/modules/call-sessions/recordings/recording-spool.service.js';
import { RecordingUploadsService } from '../../src/modules/call-sessions/recordings/recording-uploads.service.js';
import { FileStorage, StorageError } from '../../src/providers/storage/file-storage.js';
import { recordingFileName } from '../../src/runtime/call/recording-file.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { until } from '../support/until.js';
import { tone } from '@prosa/testing';

const RATE_HZ = 8_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SPOOL_BYTES = 4_000_000;

describe('Recordings on their way into the storage', () => {
  let app: TestApp;
  let owner: TestAccount;
  let dataDir: string;
  let folder: string;
  let uploads: RecordingUploadsService;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-recordings-'));
    folder = join(dataDir, 'recordings');
    await mkdir(folder);
    app = await TestApp.start({ DATA_DIR: dataDir, RECORDINGS_SPOOL_BYTES: String(SPOOL_BYTES) });
    owner = await app.account();
    uploads = app.app.get(RecordingUploadsService);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  afterAll(async () => {
    await app.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function callThat(isOver: boolean): Promise<number> {
    const calls = app.app.get(CallsService);
    const { id } = await calls.open(owner.userId, {
      assistantName: 'Bia',
      type: 'inbound',
      recordingEnabled: true,
    });
    if (isOver) await calls.move(owner.userId, id, { from: 'initiated', to: 'failed' });
    return id;
  }

  /** Samples of a second, as a recorder leaves them. @param restMs how long ago the last were written */
  async function samplesOf(callId: number, restMs = 0): Promise<string> {
    const path = join(folder, recordingFileName({ recordAs: callId, startMs: 0, sampleRateHz: RATE_HZ }));
    await writeFile(path, Buffer.from(tone(440, RATE_HZ, 2_000).buffer));
    const writtenAt = new Date(Date.now() - restMs);
    await utimes(path, writtenAt, writtenAt);
    return path;
  }

  const recordingOf = (callId: number) => app.as(owner).get(`/api/user/calls/${callId}/recording`);
  const upload = async (callId: number, path: string) =>
    uploads.upload({ userId: owner.userId, id: callId }, { path, sampleRateHz: RATE_HZ });

  async function counted(outcome: string): Promise<number> {
    const metrics = await app.app.get(MetricsService).read();
    return Number(
      new RegExp(`prosa_recordings_total\\{outcome="${outcome}"\\} (\\d+)`).exec(metrics)?.[1] ?? 0,
    );
  }

  it('are packed, stored and deleted here', async () => {
    const callId = await callThat(true);
    await upload(callId, await samplesOf(callId));
    expect(await readdir(folder)).toEqual([]);
    const { body } = await recordingOf(callId).expect(200);
    expect((body as Buffer).subarray(0, 4).toString()).toBe('OggS');
    expect(await app.query('SELECT file_key FROM file_cleanups')).toEqual([]);
    expect(await counted('stored')).toBe(1);
  });

  it('leave nothing when nothing was recorded', async () => {
    const callId = await callThat(true);
    const path = join(folder, recordingFileName({ recordAs: callId, startMs: 0, sampleRateHz: RATE_HZ }));
    await writeFile(path, '');
    await upload(callId, path);
    expect(await readdir(folder)).toEqual([]);
    await recordingOf(callId).expect(404);
  });

  it('wait on the disk while the storage is away, and come in when it is back', async () => {
    const callId = await callThat(true);
    const away = jest.spyOn(app.app.get(FileStorage), 'put').mockRejectedValue(new StorageError('away'));
    const failed = await counted('failed');
    await upload(callId, await samplesOf(callId, 2 * MINUTE_MS));
    await uploads.sweep(Date.now() + 2 * MINUTE_MS);
    await recordingOf(callId).expect(404);
    // Once for the log and the count, however often it is tried.
    expect(away.mock.calls.length).toBeGreaterThan(1);
    expect(await counted('failed')).toBe(failed + 1);
    away.mockRestore();
    await uploads.sweep(Date.now() + 4 * MINUTE_MS);
    await recordingOf(callId).expect(200);
    expect(await readdir(folder)).toEqual([]);
  });

  it('of a process that died are stored once the call is over, and not before', async () => {
    const callId = await callThat(false);
    const path = await samplesOf(callId, 2 * MINUTE_MS);
    const fresh = await samplesOf(await callThat(true), 10_000);
    await uploads.sweep();
    expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual([path, fresh].sort());
    await app.query("UPDATE calls SET status = 'ended', ended_at = now() WHERE id = $1", [callId]);
    await uploads.sweep();
    await recordingOf(callId).expect(200);
    expect((await readdir(folder)).map((name) => join(folder, name))).toEqual([fresh]);
    await rm(fresh);
  });

  it('are deleted when they are not needed: the call is gone, or has one already', async () => {
    const recorded = await callThat(true);
    await upload(recorded, await samplesOf(recorded));
    await samplesOf(recorded, 2 * MINUTE_MS);
    await samplesOf(2_000_000_000, 2 * MINUTE_MS);
    await writeFile(
      join(
        folder,
        `${recordingFileName({ recordAs: 2_000_000_000, startMs: 0, sampleRateHz: RATE_HZ })}.ogg.part`,
      ),
      'x',
    );
    await writeFile(join(folder, 'notes.txt'), 'an unrelated file');
    await uploads.sweep(Date.now() + 2 * MINUTE_MS);
    expect(await readdir(folder)).toEqual(['notes.txt']);
    await rm(join(folder, 'notes.txt'));
  });

  it('wait for as long as the storage is away, which may be days', async () => {
    const callId = await callThat(true);
    await samplesOf(callId, 40 * DAY_MS);
    const away = jest.spyOn(app.app.get(FileStorage), 'put').mockRejectedValue(new StorageError('away'));
    await uploads.sweep();
    await uploads.sweep(Date.now() + DAY_MS);
    expect((await readdir(folder)).length).toBeGreaterThan(0);
    away.mockRestore();
    await uploads.sweep();
    await recordingOf(callId).expect(200);
    expect(await readdir(folder)).toEqual([]);
  });

  it('fill a spool up to its limit; then calls begin without one, say so, and metrics show it', async () => {
    const spool = app.app.get(RecordingSpoolService);
    const metric = async (name: string) =>
      Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await app.app.get(MetricsService).read())?.[1]);
    expect(await spool.findSkip()).toBeNull();
    expect(await metric('prosa_recordings_spool_limit_bytes')).toBe(SPOOL_BYTES);

    jest.spyOn(app.app.get(FileStorage), 'put').mockRejectedValue(new StorageError('away'));
    const waiting = join(folder, recordingFileName({ recordAs: 7, startMs: 0, sampleRateHz: RATE_HZ }));
    await writeFile(waiting, Buffer.alloc(SPOOL_BYTES, 1));
    await until(async () => (await spool.findSkip()) === 'spool_full', 10_000);
    expect(await metric('prosa_recordings_spool_bytes')).toBeGreaterThanOrEqual(SPOOL_BYTES);

    const callId = await callThat(false);
    const detailsOf = async () => (await app.as(owner).get(`/api/user/calls/${callId}`).expect(200)).body;
    expect(await detailsOf()).toMatchObject({ recording_skipped: null });
    await spool.skipped({ userId: owner.userId, id: callId }, 'spool_full');
    expect(await detailsOf()).toMatchObject({ recording_skipped: 'spool_full' });
    expect(await metric('prosa_recordings_skipped_total\\{reason="spool_full"\\}')).toBe(1);

    await rm(waiting);
    await until(async () => (await spool.findSkip()) === null, 10_000);
  });

  it('are discarded when the call is deleted before the upload', async () => {
    const callId = await callThat(true);
    const path = await samplesOf(callId);
    await app.as(owner).delete(`/api/user/calls/${callId}`).expect(200);
    await upload(callId, path);
    expect(await readdir(folder)).toEqual([]);
    expect(
      await app.query('SELECT due_at <= now() AS due FROM file_cleanups WHERE file_key LIKE $1', [
        `recordings/${owner.userId}/${callId}-%`,
      ]),
    ).toEqual([{ due: true }]);
  });
});
