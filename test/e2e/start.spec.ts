import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const shell = promisify(execFile);

/** The whole product as a person starts it: one process, an empty environment, nothing installed. */
describe('npm start', () => {
  let dataDir: string;
  const running: ProsaProcess[] = [];
  const start = (environment: Record<string, string> = {}) => {
    const prosa = ProsaProcess.start({ DATA_DIR: dataDir, PORT: '0', ...environment });
    running.push(prosa);
    return prosa;
  };

  beforeAll(async () => {
    await buildProduct();
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-e2e-'));
  }, 120_000);
  afterEach(async () => {
    for (const prosa of running.splice(0)) await prosa.stop();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  let apiKey = '';

  it('brings everything up on an empty environment, and the curl of its banner works when pasted', async () => {
    const prosa = start();
    const url = await prosa.ready();
    const health = await fetch(`${url}/health/ready`);
    expect(health.status).toBe(200);
    expect((await fetch(`${url}/docs`)).status).toBe(200);
    expect(prosa.text).toContain(`${join(dataDir, 'encryption.key')}  (keep this key:`);
    expect(prosa.text).toContain('CALL_RETENTION_DAYS=180');
    apiKey = /\bprosa_\w{36}\b/.exec(prosa.text)?.[0] ?? '';
    const command = /(curl -s [^]*?'\{.*?\}')/.exec(prosa.text)?.[1] ?? '';
    const { stdout } = await shell('sh', ['-c', command]);
    expect(JSON.parse(stdout)).toEqual({
      status: true,
      message: expect.stringContaining('plataforma'),
      function_calls: [],
    });
    expect(await prosa.stop()).toBe(0);
  }, 90_000);

  describe('again', () => {
    let prosa: ProsaProcess;
    let url: string;
    let startedInMs: number;

    beforeAll(async () => {
      const startedAt = performance.now();
      prosa = ProsaProcess.start({ DATA_DIR: dataDir, PORT: '0', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
      url = await prosa.ready();
      startedInMs = performance.now() - startedAt;
    }, 60_000);
    afterAll(async () => {
      expect(await prosa.stop()).toBe(0);
    }, 60_000);

    it('is up in under 3 s, keeps the data and says the key no more', async () => {
      expect(prosa.text).not.toContain(apiKey);
      expect(prosa.text).not.toContain('keep this key');
      expect(prosa.text).not.toContain('CALL_RETENTION_DAYS');
      const me = await fetch(`${url}/api/user/me`, { headers: { Authorization: `Bearer ${apiKey}` } });
      expect(await me.json()).toEqual({ name: 'Demo', email: 'demo@prosa.local', total_balance: 10 });
      // The promise is 3 s on two free cores; a test run shares them.
      expect(startedInMs).toBeLessThan(30_000);
    });

    it('lets a person make a tool and an assistant, whose chat really calls an HTTP server', async () => {
      const shop = await LocalServer.start((_request, response) =>
        answerJson(response, { status: 'enviado' }),
      );
      try {
        const call = async (path: string, body: unknown) => {
          const response = await fetch(`${url}${path}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
            body: JSON.stringify(body),
          });
          return (await response.json()) as Record<string, any>;
        };
        const tool = await call('/api/user/tools', {
          name: 'track_order',
          description: 'Consulta a situação de um pedido pelo número',
          endpoint: `${shop.url}/orders/{order_number}`,
          method: 'GET',
          schema: [{ name: 'order_number', type: 'string', description: 'Número do pedido' }],
        });
        const assistant = await call('/api/user/assistant', {
          name: 'Loja',
          voice_id: 1,
          language_id: 1,
          llm_model_id: 1,
          type: 'inbound',
          mode: 'pipeline',
          timezone: 'America/Sao_Paulo',
          initial_message: 'Olá!',
          system_prompt: 'Você atende uma loja.',
          tool_ids: [tool.data.id],
        });
        const read = await fetch(`${url}/api/user/assistant/${assistant.data.id}`, {
          headers: { Authorization: `Bearer ${apiKey}` },
        });
        const { uuid } = (await read.json()) as { uuid: string };
        const conversation = await call('/api/conversations', { assistant_id: uuid });
        const answer = await call(`/api/conversations/${conversation.conversation_id}/messages`, {
          message: 'Qual a situação do pedido 42?',
        });
        expect(answer.function_calls).toEqual([
          { name: 'track_order', arguments: { order_number: '42' }, result: { status: 'enviado' } },
        ]);
        expect(answer.message).toContain('enviado');
        expect(shop.requests).toEqual([expect.objectContaining({ method: 'GET', path: '/orders/42' })]);
      } finally {
        await shop.stop();
      }
    }, 60_000);

    it('refuses a second Prosa on the same data', async () => {
      const second = start();
      expect(await second.exit()).toBe(1);
      expect(second.text).toContain('Another Prosa');
    }, 60_000);

    it('offers commands for accounts while the service runs', async () => {
      const account = async (...args: string[]) =>
        (
          await shell(process.execPath, ['scripts/run.mjs', 'cli/account', ...args], {
            env: { ...process.env, DATA_DIR: dataDir },
          })
        ).stdout;
      const created = await account('create', '--email', 'bia@example.com', '--name', 'Bia');
      const key = /prosa_\w{36}/.exec(created)?.[0] ?? '';
      expect(await account('credit', '--email', 'bia@example.com', '--amount', '2.50')).toContain('2.50 USD');
      const me = await fetch(`${url}/api/user/me`, { headers: { Authorization: `Bearer ${key}` } });
      expect(await me.json()).toEqual({ name: 'Bia', email: 'bia@example.com', total_balance: 2.5 });
      await expect(account('create', '--email', 'bia@example.com', '--name', 'Bia')).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('npm run account -- key --email bia@example.com'),
      });
    }, 90_000);
  });

  it('survives kill -9: the next start takes over the database it left behind', async () => {
    const killed = start();
    await killed.ready();
    killed.kill('SIGKILL');
    await killed.exit();
    const prosa = start();
    const url = await prosa.ready();
    const me = await fetch(`${url}/api/user/me`, { headers: { Authorization: `Bearer ${apiKey}` } });
    expect(me.status).toBe(200);
  }, 60_000);

  it('serves on for a while at SIGTERM, then closes its port, and answers the turn that runs', async () => {
    let release = () => {};
    const slow = await LocalServer.start(async (_request, response) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.end(
        'data: {"choices":[{"index":0,"delta":{"content":"Pronto."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    });
    try {
      const operationsPort = await freePort();
      const prosa = start({
        OPENAI_BASE_URL: `${slow.url}/v1`,
        OPENAI_MODEL: 'any',
        OPERATIONS_PORT: String(operationsPort),
        SHUTDOWN_DELAY_SECONDS: '3',
      });
      const url = await prosa.ready();
      const list = await fetch(`${url}/api/user/conversations`, {
        headers: { Authorization: `Bearer ${apiKey}` },
      });
      const { data } = (await list.json()) as { data: { id: string }[] };
      const turn = fetch(`${url}/api/conversations/${data[0]?.id}/messages`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"message":"Olá"}',
      });
      while (slow.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      prosa.kill('SIGTERM');
      while (!prosa.text.includes('SIGTERM')) await new Promise((resolve) => setTimeout(resolve, 20));
      const me = () => fetch(`${url}/api/user/me`, { headers: { Authorization: `Bearer ${apiKey}` } });
      const ready = `http://127.0.0.1:${operationsPort}/health/ready`;
      expect((await fetch(ready)).status).toBe(503);
      const late = await me();
      expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
      const isRefused = () =>
        me().then(
          () => false,
          () => true,
        );
      while (!(await isRefused())) await new Promise((resolve) => setTimeout(resolve, 100));
      expect((await fetch(ready)).status).toBe(503);
      release();
      expect(await (await turn).json()).toEqual({ status: true, message: 'Pronto.', function_calls: [] });
      expect(await prosa.exit()).toBe(0);
    } finally {
      await slow.stop();
    }
  }, 60_000);

  it('lets a model answer that the server has, and names it in the banner', async () => {
    const ollama = await LocalServer.start(({ path, body }, response) => {
      if (path === '/v1/models') {
        const data = ['nomic-embed-text:latest', 'llama3.2:3b'].map((id) => ({ id, object: 'model' }));
        answerJson(response, { object: 'list', data });
      } else if ((JSON.parse(body) as { model: string }).model === 'llama3.2:3b') {
        answerJson(response, {
          choices: [{ index: 0, message: { content: 'Oi, eu sou o modelo.' }, finish_reason: 'stop' }],
        });
      } else answerJson(response, { error: { message: 'model not found' } }, 404);
    });
    const folder = await mkdtemp(join(tmpdir(), 'prosa-e2e-model-'));
    try {
      const prosa = start({ DATA_DIR: folder, OPENAI_BASE_URL: `${ollama.url}/v1` });
      await prosa.ready();
      expect(prosa.text).toContain(`Model    llama3.2:3b on the server at ${new URL(ollama.url).host}`);
      const command = /(curl -s [^]*?'\{.*?\}')/.exec(prosa.text)?.[1] ?? '';
      const { stdout } = await shell('sh', ['-c', command]);
      expect(JSON.parse(stdout)).toEqual({
        status: true,
        message: 'Oi, eu sou o modelo.',
        function_calls: [],
      });
      expect(await prosa.stop()).toBe(0);
    } finally {
      await ollama.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }, 90_000);

  it('says in the banner that a model server does not answer', async () => {
    const gone = await LocalServer.start(() => undefined);
    await gone.stop();
    const folder = await mkdtemp(join(tmpdir(), 'prosa-e2e-model-'));
    try {
      const prosa = start({ DATA_DIR: folder, OPENAI_BASE_URL: `${gone.url}/v1` });
      await prosa.ready();
      expect(prosa.text).toContain(
        `Model    the server at ${new URL(gone.url).host} lists no models or does not respond. Requests name `,
      );
      expect(await prosa.stop()).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }, 90_000);

  it('cuts a job that does not end within the time of a stop', async () => {
    let asked: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const silent = await LocalServer.start(() => asked());
    try {
      const prosa = start({ EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SHUTDOWN_TIMEOUT_SECONDS: '1' });
      const url = await prosa.ready();
      const post = async (path: string, body: unknown) => {
        const response = await fetch(`${url}/api/user/knowledgebases${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', Authorization: `Bearer ${apiKey}` },
          body: JSON.stringify(body),
        });
        expect(response.status).toBe(201);
        return (await response.json()) as { data: { id: number } };
      };
      const { data } = await post('', { name: 'A site that never answers' });
      await post(`/${data.id}/documents`, { name: 'Site', type: 'website', url: silent.url });
      await isAsked;
      expect(await prosa.stop()).toBe(0);
      expect(prosa.text).toContain('jobs were cut at shutdown');
    } finally {
      await silent.stop();
    }
  }, 60_000);

  it('says in one sentence that the port is in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as { port: number };
    const prosa = start({ PORT: String(port) });
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text).toContain(`Port ${port} is in use`);
    expect(prosa.text).not.toMatch(/^\s+at /m);
    await new Promise((resolve) => taken.close(resolve));
  }, 60_000);

  it('names a wrong variable and starts nothing', async () => {
    const prosa = start({ PORT: 'many', EGRESS_ALLOW_CIDRS: 'everything' });
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text).toContain('PORT');
    expect(prosa.text).toContain('EGRESS_ALLOW_CIDRS');
    expect(prosa.text).not.toMatch(/^\s+at /m);
  });
});
