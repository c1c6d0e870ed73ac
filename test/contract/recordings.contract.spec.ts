import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import { FileCleanupsService } from '../../src/modules/files/file-cleanups.service.js';
import { RecordingLinksService } from '../../src/modules/calls/recordings/recording-links.service.js';
import { RecordingsService } from '../../src/modules/calls/recordings/recordings.service.js';
import { FileMissingError, FileStorage } from '../../src/providers/storage/file-storage.js';
import { type TestAccount, TestApp } from '../support/app.js';

const CONTENT = randomBytes(10_000);
const HOUR_MS = 3_600_000;

let app: TestApp;
let ana: TestAccount;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'prosa-recordings-'));
  app = await TestApp.start({ DATA_DIR: dataDir, RECORDING_RETENTION_DAYS: '30' });
  ana = await app.account();
});
afterAll(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const storage = () => app.app.get(FileStorage);

/** A call that is over, with a recording in the storage. */
async function recordedCall(recordingEnabled = true): Promise<{ id: number; key: string; path: string }> {
  const calls = app.app.get(CallsService);
  const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'inbound', recordingEnabled });
  await calls.move(ana.userId, id, { from: 'initiated', to: 'failed' });
  const key = `recordings/${ana.userId}/${id}-x.ogg`;
  await storage().put(key, Readable.from([CONTENT]), { bytes: CONTENT.length, contentType: 'audio/ogg' });
  await app.query('UPDATE calls SET recording_key = $2, recording_bytes = $3 WHERE id = $1', [
    id,
    key,
    CONTENT.length,
  ]);
  return { id, key, path: `/api/user/calls/${id}/recording` };
}

/** Path and query of `recording_url`. */
async function linkOf(id: number): Promise<string> {
  const { body } = await app.as(ana).get(`/api/user/calls/${id}`).expect(200);
  const { pathname, search } = new URL(body.recording_url as string);
  return pathname + search;
}

describe('the recording of a call', () => {
  it('is served to its owner whole, and kept by no cache', async () => {
    const { id, path } = await recordedCall();
    const { body, headers } = await app.as(ana).get(path).expect(200);
    expect(CONTENT.equals(body as Buffer)).toBe(true);
    expect(headers).toMatchObject({
      'content-type': 'audio/ogg',
      'content-length': String(CONTENT.length),
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
      'content-disposition': `inline; filename="call-${id}.ogg"`,
    });
  });

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, 9_999],
    ['bytes=-100', 9_900, 9_999],
    ['bytes=9000-20000', 9_000, 9_999],
  ])('is served in parts: %s', async (range, start, end) => {
    const { path } = await recordedCall();
    const { body, headers } = await app.as(ana).get(path).set('Range', range).expect(206);
    expect(CONTENT.subarray(start, end + 1).equals(body as Buffer)).toBe(true);
    expect(headers).toMatchObject({
      'content-range': `bytes ${start}-${end}/10000`,
      'content-length': String(end - start + 1),
    });
  });

  it.each(['bytes=10000-', 'bytes=20000-30000'])('has no part beyond its end: %s', async (range) => {
    const { path } = await recordedCall();
    const { body, headers } = await app.as(ana).get(path).set('Range', range).expect(416);
    expect(headers['content-range']).toBe('bytes */10000');
    expect(headers['content-type']).toContain('application/json');
    expect(body).toEqual({ message: 'O intervalo solicitado está além do fim da gravação' });
  });

  it.each(['bytes=0-1,5-6', 'bytes=x', 'lines=0-3'])(
    'is served whole for what is no single part: %s',
    async (range) => {
      const { path } = await recordedCall();
      const { headers } = await app.as(ana).get(path).set('Range', range).expect(200);
      expect(headers['content-length']).toBe('10000');
    },
  );

  it('is served in parts only as long as it is the same', async () => {
    const { path } = await recordedCall();
    const ask = (etag: string) => app.as(ana).get(path).set('Range', 'bytes=0-9').set('If-Range', etag);
    const { etag = '' } = (await app.as(ana).get(path).expect(200)).headers;
    await ask(etag).expect(206);
    await ask('"another"').expect(200);
  });

  it('says how long it is without being sent', async () => {
    const { path } = await recordedCall();
    const { headers } = await app.as(ana).head(path).expect(200);
    expect(headers['content-length']).toBe('10000');
  });

  it('needs a token, and the account of the call', async () => {
    const { path, id } = await recordedCall();
    await app.http.get(path).expect(401);
    const other = await app.account();
    const foreign = await app.as(other).get(path).expect(404);
    const missing = await app.as(other).get('/api/user/calls/2000000000/recording').expect(404);
    expect(foreign.body).toEqual(missing.body);
    await app.query('UPDATE calls SET recording_key = NULL, recording_bytes = NULL WHERE id = $1', [id]);
    const { body } = await app.as(ana).get(path).expect(404);
    expect(body).toEqual({ message: 'Gravação não encontrada' });
  });

  it('is served by its link without a token, in parts too', async () => {
    const { id } = await recordedCall();
    const link = await linkOf(id);
    const { body } = await app.http.get(link).expect(200);
    expect(CONTENT.equals(body as Buffer)).toBe(true);
    await app.http.get(link).set('Range', 'bytes=5-9').expect(206);
  });

  it('is not served by a link that has expired, was changed, or leads to a call that is not to be recorded', async () => {
    const { id } = await recordedCall();
    const links = app.app.get(RecordingLinksService);
    const expired = links.linkTo(id, HOUR_MS, Date.now() - 3 * HOUR_MS);
    const silent = await recordedCall(false);
    const link = await linkOf(id);
    for (const path of [
      expired,
      `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
      link.replace(`/${id}?`, `/${silent.id}?`),
      links.linkTo(silent.id, HOUR_MS),
      links.linkTo(2_000_000_000, HOUR_MS),
      `/api/recordings/${id}`,
      `/api/recordings/${id}?expires=1&expires=2&signature[a]=b`,
      '/api/recordings/x',
    ]) {
      const { body } = await app.http.get(path).expect(404);
      expect([path, body]).toEqual([path, { message: 'Gravação não encontrada' }]);
    }
  });

  it('is missing when the storage has lost it', async () => {
    const { key, path } = await recordedCall();
    await storage().delete(key);
    const { headers } = await app.as(ana).get(path).expect(404);
    expect(headers['content-type']).toContain('application/json');
  });

  it('is deleted with its call', async () => {
    const { id, key, path } = await recordedCall();
    const link = await linkOf(id);
    await app.as(ana).delete(`/api/user/calls/${id}`).expect(200);
    await app.as(ana).get(path).expect(404);
    await app.http.get(link).expect(404);
    expect((await buffer(await storage().get(key))).length).toBe(CONTENT.length);
    await app.app.get(FileCleanupsService).sweep();
    await expect(storage().get(key)).rejects.toThrow(FileMissingError);
  });

  it('is deleted after RECORDING_RETENTION_DAYS, and the call stays', async () => {
    const old = await recordedCall();
    const young = await recordedCall();
    await app.query("UPDATE calls SET created_at = now() - interval '31 days' WHERE id = $1", [old.id]);
    await app.app.get(RecordingsService).sweep();
    await app.app.get(FileCleanupsService).sweep();
    await expect(storage().get(old.key)).rejects.toThrow(FileMissingError);
    await app.as(ana).get(old.path).expect(404);
    const { body } = await app.as(ana).get(`/api/user/calls/${old.id}`).expect(200);
    expect(body).not.toHaveProperty('recording_url');
    await app.as(ana).get(young.path).expect(200);
  });
});
