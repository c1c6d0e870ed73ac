import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { OperationsServer } from '../../src/boot/operations-server.js';
import { PortTakenError } from '../../src/boot/port-taken.error.js';
import { Logger } from '../../src/common/observability/logger.js';
import { ServerConfig } from '../../src/config/config.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';

const NOTHING = "default-src 'none';frame-ancestors 'none'";
const NOT_FOUND = { message: 'Rota não encontrada' };

async function openOperations(app: TestApp): Promise<OperationsServer> {
  const opened = await OperationsServer.open(app.app.get(ServerConfig), Logger.create('silent'));
  if (!opened) throw new Error('no operations port was opened');
  opened.serve(app.app);
  return opened;
}

describe('Headers', () => {
  let app: TestApp;
  let account: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    account = await app.account({ balanceUsd: 1 });
  });
  afterAll(() => app.stop());

  it('keep every private answer out of caches and let a browser do nothing with it, refusals too', async () => {
    const assistant = await createAssistant(app, account);
    const conversation = await openConversation(app, assistant);
    const answers = [
      await app.as(account).get('/api/user/me').expect(200),
      await app.as(account).get('/api/user/calls').expect(200),
      await app.as(account).get('/api/user/tools/999').expect(415),
      await app.as(account).post('/api/user/tools').send({}).expect(422),
      await app.http.get('/api/user/me').expect(401),
      await app.http.get('/api/nothing').expect(404),
      await app.http.get(`/api/conversations/${conversation}`).expect(200),
      await app.http.post(`/api/conversations/${conversation}/messages`).send({ message: 'Olá' }).expect(200),
      await app.http.post('/api/auth/login').send({ email: 'a@example.com', password: 'x' }).expect(401),
      await app.http.get('/health/ready').expect(200),
    ];
    for (const { headers } of answers) {
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['content-security-policy']).toBe(NOTHING);
    }
  });

  it('let the documentation run its own scripts and no other', async () => {
    for (const path of ['/docs', '/docs/', '/docs/swagger-ui-init.js']) {
      const { headers } = await app.http.get(path).expect(200);
      const policy = headers['content-security-policy'];
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
    }
  });

  it('suit the page of the documentation: each of its scripts is a file of this server', async () => {
    const { text } = await app.http.get('/docs').expect(200);
    const scripts = [...text.matchAll(/<script([^>]*)>([^<]*)/g)];
    expect(scripts.length).toBeGreaterThan(2);
    for (const [, attributes = '', code = ''] of scripts) {
      expect(attributes).toMatch(/src="\.\//);
      expect(code.trim()).toBe('');
    }
    expect(text).not.toMatch(/\son\w+=|javascript:/);
  });
});

describe('The operations port', () => {
  it('shows health, metrics and nothing else; the public port shows no metrics', async () => {
    const app = await TestApp.start({ OPERATIONS_PORT: '0' });
    const operations = await openOperations(app);
    try {
      expect((await request(app.server).get('/metrics').expect(404)).body).toEqual(NOT_FOUND);
      await app.http.get('/health/ready').expect(200);
      await app.http.get('/docs-json').expect(200);
      const there = request(operations.url);
      expect((await there.get('/metrics').expect(200)).text).toContain('http_request_duration_seconds');
      await there.get('/health/live').expect(200);
      await there.get('/health/ready').expect(200);
      const { token } = await app.account();
      for (const path of ['/api/user/me', '/docs', '/docs-json', '/API/user/me', '/']) {
        const { body } = await there.get(path).set('Authorization', `Bearer ${token}`).expect(404);
        expect(body).toEqual(NOT_FOUND);
      }
    } finally {
      operations.close();
      await app.stop();
    }
  });

  it('serves the documentation too when the setting says so', async () => {
    const app = await TestApp.start({ OPERATIONS_PORT: '0', DOCS: 'operations' });
    const operations = await openOperations(app);
    try {
      for (const path of [
        '/docs',
        '/docs/',
        '/docs-json',
        '/docs-yaml',
        '/docs/swagger-ui-init.js',
        '/DOCS-JSON',
      ]) {
        await request(app.server).get(path).expect(404);
      }
      await request(operations.url).get('/docs').expect(200);
      await request(operations.url).get('/docs-json').expect(200);
    } finally {
      operations.close();
      await app.stop();
    }
  });

  it('is not needed to close both', async () => {
    const app = await TestApp.start({ METRICS: 'off', DOCS: 'off' });
    try {
      for (const path of ['/metrics', '/docs', '/docs-json', '/docs-yaml']) {
        await request(app.server).get(path).expect(404);
      }
      await app.http.get('/health/ready').expect(200);
    } finally {
      await app.stop();
    }
  });

  it('is one above PORT on this machine alone for a process with the api role', async () => {
    const app = await TestApp.start({ PORT: '3703', HOST: '0.0.0.0' });
    const operations = await openOperations(app);
    try {
      expect(operations.url).toBe('http://127.0.0.1:3704');
      await request(operations.url).get('/metrics').expect(200);
      for (const path of ['/metrics', '/metrics/', '/METRICS', '/metrics?a', '/api/metrics']) {
        expect((await request(app.server).get(path).expect(404)).body).toEqual(NOT_FOUND);
      }
      await app.http.get('/health/ready').expect(200);
      const document = await app.http.get('/docs-json').expect(200);
      expect(document.text).not.toContain('/metrics');
      const elsewhere = Object.values(networkInterfaces())
        .flatMap((addresses) => addresses ?? [])
        .find(({ family, internal }) => family === 'IPv4' && !internal);
      if (elsewhere) {
        await expect(fetch(`http://${elsewhere.address}:3704/metrics`)).rejects.toThrow('fetch failed');
      }
    } finally {
      operations.close();
      await app.stop();
    }
  });

  it('is not opened by a process with the api role when the port is taken, which the log says', async () => {
    const app = await TestApp.start({ PORT: '3705' });
    const taken = createServer().listen(3706, '127.0.0.1');
    const said: string[] = [];
    const logger = { warn: (message: string) => void said.push(message) } as unknown as Logger;
    try {
      expect(await OperationsServer.open(app.app.get(ServerConfig), logger)).toBeNull();
      expect(said).toEqual([expect.stringContaining('no metrics: it is in use')]);
    } finally {
      taken.close();
      await app.stop();
    }
  });

  it('is opened by a process without the api role, one above PORT', async () => {
    const app = await TestApp.start({ PORT: '3701' });
    const worker = Object.assign(Object.create(app.app.get(ServerConfig)) as ServerConfig, {
      roles: new Set(['worker'] as const),
    });
    const logger = Logger.create('silent');
    const first = await OperationsServer.open(worker, logger);
    try {
      expect(first?.url).toBe('http://127.0.0.1:3702');
      first?.serve(app.app);
      await request(first?.url ?? '')
        .get('/health/live')
        .expect(200);
      // A second server on the machine runs without an operations port, unless its port is configured.
      expect(await OperationsServer.open(worker, logger)).toBeNull();
      const named = Object.assign(Object.create(worker) as ServerConfig, { operationsPort: 3702 });
      await expect(OperationsServer.open(named, logger)).rejects.toThrow(PortTakenError);
    } finally {
      first?.close();
      await app.stop();
    }
  });
});
