import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../support/free-port.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const shell = promisify(execFile);
const SECRET = 'sk-very-secret-0123456789';

let folder: string;

beforeAll(async () => {
  await buildProduct();
  folder = await mkdtemp(join(tmpdir(), 'prosa-doctor-'));
}, 180_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

async function doctor(environment: Record<string, string>): Promise<{ code: number; said: string }> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: folder, ...environment };
  try {
    const { stdout, stderr } = await shell(process.execPath, ['scripts/run.mjs', 'cli/doctor'], { env });
    return { code: 0, said: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, said: stdout + stderr };
  }
}

describe('npm run doctor', () => {
  it('finds no failure before the first start, next to a running Prosa and after its end', async () => {
    const port = String(await freePort());
    expect(await doctor({ PORT: port })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/There is no database in .* yet[^]*is free/),
    });
    const prosa = ProsaProcess.start({ PORT: port, DATA_DIR: folder, LOG_LEVEL: 'warn' });
    try {
      await prosa.ready();
      const whileRunning = await doctor({ PORT: port });
      expect(whileRunning).toMatchObject({
        code: 0,
        said: expect.stringMatching(
          /rights {4}The role prosa may create[^]*in use while Prosa runs[^]*Failures: 0/,
        ),
      });
    } finally {
      prosa.kill('SIGTERM');
      await prosa.exit();
    }
    expect(await doctor({ PORT: port })).toMatchObject({
      code: 0,
      said: expect.stringMatching(/all stored ones open[^]*is free/),
    });
  }, 120_000);

  it('ends with code 1 and a sentence for each failure, in time and without a secret', async () => {
    const server = await LocalServer.start((_, response) => answerJson(response, { error: SECRET }, 401));
    const startedAt = performance.now();
    const { code, said } = await doctor({
      DATABASE_URL: `postgres://prosa:${SECRET}@127.0.0.1:${await freePort()}/prosa`,
      ENCRYPTION_KEY: `${'A'.repeat(43)}=`,
      REDIS_URL: `redis://:${SECRET}@127.0.0.1:${await freePort()}`,
      S3_ENDPOINT: server.url,
      S3_BUCKET: 'prosa',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: SECRET,
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: SECRET,
      DEEPGRAM_API_KEY: SECRET,
      DEEPGRAM_BASE_URL: server.url,
      PUBLIC_URL: 'https://prosa.example',
    });
    await server.stop();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    expect(code).toBe(1);
    for (const name of ['database', 'storage', 'queue', 'model', 'speech'])
      expect(said).toMatch(new RegExp(`^FAILURE {2}${name} `, 'm'));
    expect(said).toMatch(/^WARNING {2}proxy /m);
    expect(said).not.toContain(SECRET);
  }, 60_000);

  it('names a wrong variable', async () => {
    expect(await doctor({ PORT: 'many' })).toEqual({ code: 1, said: expect.stringContaining('PORT') });
  });
});

describe('the start of a process', () => {
  it('logs a sentence for each problem of its surroundings', async () => {
    const server = await LocalServer.start((_, response) => answerJson(response, { error: SECRET }, 401));
    const prosa = ProsaProcess.start({
      PORT: '0',
      DATA_DIR: folder,
      LOG_LEVEL: 'warn',
      PUBLIC_URL: 'https://prosa.example',
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: SECRET,
    });
    try {
      await prosa.ready();
      await prosa.says(/"check":"proxy","verdict":"warning","msg":"PUBLIC_URL begins/);
      await prosa.says(/"check":"model","verdict":"failure","msg":"The model server .* refuses the key/);
      expect(prosa.text).not.toContain(SECRET);
    } finally {
      prosa.kill('SIGTERM');
      await prosa.exit();
      await server.stop();
    }
  }, 120_000);
});
