import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetricsService } from '../../src/common/observability/metrics.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { freePort } from '../support/free-port.js';

/** A bucket at a port where nothing listens. */
describe('while the storage is away', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({
      S3_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
      S3_BUCKET: 'prosa',
      S3_ACCESS_KEY_ID: 'key',
      S3_SECRET_ACCESS_KEY: 'secret',
    });
    owner = await app.account();
  }, 60_000);
  afterAll(() => app.stop());

  it('answers 503 to an upload, names a time to try again, and stores no document', async () => {
    const { body: base } = await app
      .as(owner)
      .post('/api/user/knowledgebases')
      .send({ name: 'Padaria' })
      .expect(201);
    const path = `/api/user/knowledgebases/${base.data.id}/documents`;
    const { body, headers } = await app
      .as(owner)
      .post(path)
      .field('name', 'Horários')
      .field('type', 'txt')
      .attach('file', Buffer.from('A padaria abre às 6 horas.'), 'a.txt')
      .expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
    const { body: list } = await app.as(owner).get(path).expect(200);
    expect(list.data).toEqual([]);
  });

  it('keeps readiness green, and says that the storage is away', async () => {
    const { body } = await app.http.get('/health/ready').expect(200);
    expect(body.details.storage).toEqual({ status: 'up', degraded: true });
    expect(await app.app.get(MetricsService).read()).toMatch(/^prosa_dependency_up\{name="storage"\} 0$/m);
  });
});
