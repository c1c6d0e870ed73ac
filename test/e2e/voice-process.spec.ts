import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { CallListener, type MonitorGrant } from '../support/call-listener.js';
import { tellingOf } from '../support/loaded-modules.js';
import { buildProduct, type ProsaProcess } from '../support/prosa-process.js';
import { ProsaProcesses } from '../support/prosa-processes.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const ENGINE = /@livekit|dist\/voice\//;

/** The API in this process, a worker and voice processes each in their own. */
describe('a process with the voice role alone', () => {
  let api: TestApp;
  let owner: TestAccount;
  let assistant: { id: number; uuid: string };
  let folder: string;
  let worker: ProsaProcess;
  let voice: ProsaProcess;
  let processes: ProsaProcesses;

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-voice-'));
    api = await TestApp.start();
    processes = new ProsaProcesses(api, folder);
    owner = await api.account({ balanceUsd: 50 });
    assistant = await createAssistant(api, owner);
    worker = processes.start({
      PROSA_ROLES: 'api,worker',
      NODE_OPTIONS: `--import=${await tellingOf(ENGINE, 'ENGINE')}`,
    });
    await worker.ready();
    voice = await processes.startVoice();
  }, 180_000);
  afterAll(async () => {
    await processes.stop();
    await api.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const operator = (process: ProsaProcess) => process.says(/operator: (http:\S+)\/health\/ready/);

  async function open(): Promise<OpenedWebCall> {
    const { body } = await api
      .as(owner)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(201);
    return body.data as OpenedWebCall;
  }

  const becomes = (callId: number, status: string) =>
    until(async () => {
      const [row] = await api.query<{ status: string }>('SELECT status FROM calls WHERE id = $1', [callId]);
      return row?.status === status;
    }, 60_000);

  it('speaks on calls that come in at the API, and neither API nor worker loads anything of the engine', async () => {
    const call = await open();
    const caller = await WebCaller.connect(call);
    await caller.hears(500);
    const [active] = await api.query<{ given: string; beat: string }>(
      `SELECT active.voice_process_id AS given, process.id AS beat
       FROM active_calls active, voice_processes process WHERE call_id = $1`,
      [call.call_id],
    );
    expect(active?.given).toBe(active?.beat);
    caller.hangUp();
    expect(await caller.closed()).toBe(1000);
    await becomes(call.call_id, 'completed');
    const libraries = async ({ pid }: Pick<ProsaProcess, 'pid'>) =>
      /livekit/.test(await readFile(`/proc/${pid}/maps`, 'utf8'));
    expect(await libraries(voice)).toBe(true);
    expect(await libraries(worker)).toBe(false);
    expect(worker.text).not.toContain('ENGINE');
  }, 120_000);

  it('lets people listen who come in at the API', async () => {
    const call = await open();
    const caller = await WebCaller.connect(call);
    await becomes(call.call_id, 'in-progress');
    const { body } = await api.as(owner).post(`/api/user/calls/${call.call_id}/monitor`).expect(201);
    const listener = await CallListener.connect(body.data as MonitorGrant);
    expect(listener.shown[0]?.type).toBe('ready');
    await until(() => listener.assistantMs > 200, 30_000);
    listener.send({ type: 'hangup' });
    await listener.sees(({ type }) => type === 'ended');
    expect([await listener.closed(), await caller.closed()]).toEqual([1000, 1000]);
    await becomes(call.call_id, 'completed');
  }, 120_000);

  it('tells its operator how it is doing', async () => {
    const call = await open();
    const caller = await WebCaller.connect(call);
    const url = await operator(voice);
    const ready = (await (await fetch(`${url}/health/ready`)).json()) as { info: Record<string, object> };
    expect(ready.info.voice).toMatchObject({ status: 'up', degraded: false, calls: 1, capacity: 25 });
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toMatch(/^prosa_voice_calls 1$/m);
    expect(metrics).toMatch(/^prosa_voice_capacity 25$/m);
    expect(metrics).toMatch(/^prosa_voice_load 0(\.\d+)?$/m);
    caller.hangUp();
    await caller.closed();
  }, 120_000);

  it('cuts a browser that floods, while others on the same process hear on', async () => {
    const [other, flooding] = [await WebCaller.connect(await open()), await WebCaller.connect(await open())];
    const flood = setInterval(() => {
      for (let n = 0; n < 20; n++) flooding.socket.send(Buffer.alloc(960));
    }, 5);
    expect(await flooding.closed()).toBe(4429);
    clearInterval(flood);
    other.type('Olá, o que é a Prosa?');
    await other.hears(400);
    expect(other.closeCode).toBeNull();
    other.hangUp();
    expect(await other.closed()).toBe(1000);
  }, 120_000);

  it('takes up a connection that broke, through the API again', async () => {
    const call = await open();
    const before = await WebCaller.connect(call);
    before.drop();
    const after = await WebCaller.connect(call);
    expect(after.shown[0]).toEqual({ type: 'ready', sample_rate: 24_000, frame_ms: 20 });
    after.hangUp();
    expect(await after.closed()).toBe(1000);
  }, 120_000);

  it('takes calls over from one that has died and still counts as alive', async () => {
    const [dead] = await api.query<{ id: string }>(
      `INSERT INTO voice_processes (id, address, capacity, load, carriers, draining, heartbeat_at)
       SELECT gen_random_uuid(), '127.0.0.1:1', 1000, 0, carriers, false, now() FROM voice_processes RETURNING id`,
    );
    const call = await open();
    await api.query('UPDATE active_calls SET voice_process_id = $1 WHERE call_id = $2', [
      dead?.id,
      call.call_id,
    ]);
    const caller = await WebCaller.connect(call);
    await caller.hears(200);
    caller.hangUp();
    expect(await caller.closed()).toBe(1000);
    await api.query('DELETE FROM voice_processes WHERE id = $1', [dead?.id]);
  }, 60_000);

  it('refuses requests without the key of the installation', async () => {
    const [row] = await api.query<{ address: string }>('SELECT address FROM voice_processes');
    const { call_id: callId } = await open();
    const asked = await fetch(`http://${row?.address}/calls/${callId}/send?may_dial=true`, {
      method: 'POST',
      headers: { Authorization: 'Bearer AAAA' },
    });
    expect(asked.status).toBe(401);
    const socket = new WebSocket(`ws://${row?.address}/api/web-calls/${callId}/media`);
    const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(401);
  }, 60_000);

  it('lets its calls finish at SIGTERM, while new ones go to another, and to none when there is none', async () => {
    const call = await open();
    const caller = await WebCaller.connect(call);
    await caller.hears(200);
    voice.kill('SIGTERM');
    await voice.says(/SIGTERM/);
    await until(async () => {
      const [row] = await api.query<{ draining: boolean }>('SELECT draining FROM voice_processes');
      return row?.draining === true;
    });
    const refused = await api
      .as(owner)
      .post(`/api/user/assistant/${assistant.id}/web-call`)
      .send({})
      .expect(422);
    expect(refused.body.message).toContain('limite de ligações');
    const second = await processes.startVoice();
    const other = await WebCaller.connect(await open());
    await other.hears(200);
    caller.type('Olá, o que é a Prosa?');
    await caller.hears(300);
    caller.hangUp();
    expect(await caller.closed()).toBe(1000);
    expect(await voice.exit()).toBe(0);
    await becomes(call.call_id, 'completed');
    other.hangUp();
    await other.closed();
    expect(await second.stop()).toBe(0);
    await api.as(owner).post(`/api/user/assistant/${assistant.id}/web-call`).send({}).expect(503);
  }, 180_000);
});
