import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { TEST_ENCRYPTION_KEY } from '../support/app.js';
import { cloneDatabase, type TestDatabase } from '../support/database.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

let database: TestDatabase;
let folder: string;
const running: ProsaProcess[] = [];

beforeAll(async () => {
  await buildProduct();
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'prosa-operations-'));
}, 180_000);
afterAll(async () => {
  for (const one of running) one.kill('SIGKILL');
  await Promise.all(running.map((one) => one.exit()));
  await database.drop();
  await rm(folder, { recursive: true, force: true });
}, 60_000);

/** What the image asks for its health with, and what a Prometheus scrapes. */
describe('the port of the operator', () => {
  it.each([
    { roles: 'worker', shows: ['prosa_job_seconds', 'prosa_queue_lag_seconds', 'prosa_webhooks_pending'] },
    { roles: 'voice', shows: ['prosa_voice_calls', 'prosa_call_turn_seconds', 'prosa_model_seconds'] },
    { roles: 'api', shows: ['prosa_chat_turn_seconds', 'http_request_duration_seconds'] },
    { roles: 'worker,voice', shows: ['prosa_job_seconds', 'prosa_voice_calls'] },
  ])(
    'is open in a process of the roles $roles, healthy and with its metrics',
    async ({ roles, shows }) => {
      const prosa = ProsaProcess.start({
        PROSA_ROLES: roles,
        DATABASE_URL: database.url,
        ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
        DATA_DIR: folder,
        PORT: '0',
        OPERATIONS_PORT: '0',
        LOG_LEVEL: 'warn',
      });
      running.push(prosa);
      const url = await prosa.says(/operator:? +(http:\S+)\/health\/ready/i);
      expect((await fetch(`${url}/health/live`)).status).toBe(200);
      expect((await fetch(`${url}/health/ready`)).status).toBe(200);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      for (const name of ['prosa_database_connections', 'nodejs_eventloop_lag_p99_seconds', ...shows]) {
        expect(metrics).toContain(`# TYPE ${name} `);
      }
      // Nothing else is there.
      expect((await fetch(`${url}/api/user/me`)).status).toBe(404);
      expect(await prosa.stop()).toBe(0);
    },
    120_000,
  );
});

/** Each with a folder of its own, as on two machines without a bucket. */
describe('an upload to an API whose workers are processes of their own', () => {
  const KEY = makeToken('prosa_');

  async function start(roles: 'api' | 'worker', files: string): Promise<ProsaProcess> {
    const prosa = ProsaProcess.start({
      PROSA_ROLES: roles,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      BOOTSTRAP_EMAIL: 'operacao@example.com',
      BOOTSTRAP_API_KEY: KEY,
      DATA_DIR: join(folder, files),
      PORT: '0',
      OPERATIONS_PORT: '0',
      LOG_LEVEL: 'fatal',
    });
    running.push(prosa);
    await prosa.says(/operator:? +(http:\S+)\/health\/ready/i);
    return prosa;
  }

  it('is refused while a worker reads another folder, and read when all have the same', async () => {
    const url = await (await start('api', 'one')).ready();
    const headers = { Authorization: `Bearer ${KEY}` };
    const base = await fetch(`${url}/api/user/knowledgebases`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Manual' }),
    });
    const { data } = (await base.json()) as { data: { id: number } };
    const documents = `${url}/api/user/knowledgebases/${data.id}/documents`;
    const listed = async () => {
      const answer = await fetch(documents, { headers });
      return ((await answer.json()) as { data: { status: string }[] }).data;
    };
    const upload = () => {
      const form = new FormData();
      form.set('name', 'Horários');
      form.set('type', 'txt');
      form.set('file', new Blob(['A padaria abre às seis.']), 'a.txt');
      return fetch(documents, { method: 'POST', headers, body: form });
    };

    const elsewhere = await start('worker', 'two');
    const refused = await upload();
    expect({ status: refused.status, body: await refused.json() }).toEqual({
      status: 503,
      body: { error: expect.stringContaining('não usam a mesma pasta de arquivos') },
    });
    expect(await listed()).toEqual([]);

    expect(await elsewhere.stop()).toBe(0);
    await start('worker', 'one');
    expect((await upload()).status).toBe(201);
    await until(async () => {
      return (await listed())[0]?.status === 'active';
    }, 60_000);
  }, 180_000);
});
