import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const EMAIL = 'ana@example.com';
const PASSWORD = 'a-long-password';

/** As `npm start` runs it: calls in a process of their own, which is loaded after the API. */
describe('The first seconds after a start', () => {
  let folder: string;
  let prosa: ProsaProcess;
  let url = '';
  let token = '';

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-starting-'));
    prosa = ProsaProcess.start({
      DATA_DIR: folder,
      PORT: '0',
      VOICE_PROCESSES: '1',
      SANDBOX_MEDIA: 'audio',
      RATE_LIMITS: 'off',
      BOOTSTRAP_EMAIL: EMAIL,
      BOOTSTRAP_PASSWORD: PASSWORD,
      BOOTSTRAP_BALANCE: '50',
    });
  }, 180_000);
  afterAll(async () => {
    await prosa.stop();
    await rm(folder, { recursive: true, force: true });
  }, 120_000);

  async function ask(method: string, path: string, body?: object) {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Record<string, unknown> & { data: { id: number } };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), answer };
  }

  it('say that the server is starting, take calls, and place them when the voice is there', async () => {
    url = await prosa.says(/Prosa is starting: (\S+)\/api/);
    token = String((await ask('POST', '/auth/login', { email: EMAIL, password: PASSWORD })).answer.token);
    const { answer: made } = await ask('POST', '/user/assistant', {
      name: 'Ana',
      type: 'inbound',
      mode: 'pipeline',
      language_id: 1,
      voice_id: 301,
      llm_model_id: 1,
      timezone: 'America/Sao_Paulo',
      system_prompt: 'Seja breve.',
      initial_message: 'Olá!',
    });
    const { id } = made.data;
    const own = await ask('POST', `/user/assistant/${id}/web-call`, {});
    expect(own).toMatchObject({ status: 503, retryAfter: '2' });
    expect(own.answer.message).toContain('iniciando');
    const { answer: page } = await ask('GET', '/user/assistants');
    const { uuid } = (page as unknown as { uuid: string }[])[0] ?? { uuid: '' };
    const visitor = await ask('POST', '/web-calls', { assistant_id: uuid });
    if (visitor.status === 503) expect(visitor.answer.error).toContain('starting');
    const called = await ask('POST', '/user/make_call', { assistant_id: id, phone_number: '+5511991000000' });
    expect(called.status).toBe(200);
    const callPath = `/user/calls/${String(called.answer.call_id)}`;
    expect(prosa.text).not.toContain('Prosa is ready');

    await prosa.says(/Voice is ready/);
    const began = performance.now();
    await until(async () => (await ask('GET', callPath)).answer.status !== 'initiated');
    expect(performance.now() - began).toBeLessThan(3_000);
    await prosa.says(/Prosa is ready/);
    while ((await ask('POST', `/user/assistant/${id}/web-call`, {})).status === 503) await sleep(100);
    await prosa.says(/Model /);
    await until(async () => (await ask('GET', callPath)).answer.voice !== null, 60_000);
    const { answer: call } = await ask('GET', callPath);
    expect(call.voice).toEqual({
      id: null,
      name: 'Sandbox',
      stood_in_for: { id: 301, name: 'Francisca' },
      reason: 'no_key',
    });
  }, 120_000);
});
