import { randomBytes } from 'node:crypto';
import { lstat, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { emptyDatabase, type TestDatabase } from '../support/database.js';
import { imageFolder, installedPackages } from '../support/image-folder.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const MAX_MODULES_BYTES = 150 * 1024 * 1024;
/** `du` counts blocks of this size, and most files of packages are smaller. */
const BLOCK_BYTES = 4_096;
const KEY = randomBytes(32).toString('base64');
const API_KEY = makeToken('prosa_');
const ASSISTANT = {
  name: 'Loja',
  voice_id: 1,
  language_id: 1,
  llm_model_id: 1,
  type: 'inbound',
  mode: 'pipeline',
  timezone: 'America/Sao_Paulo',
  initial_message: 'Olá!',
  system_prompt: 'Você atende uma loja.',
  tool_ids: [],
};

async function bytesOnDisk(folder: string): Promise<number> {
  let sum = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const { size } = await lstat(join(entry.parentPath, entry.name));
    sum += entry.isFile() ? Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES : 0;
  }
  return sum;
}

/** The steps of docker/Dockerfile without an engine: npm installs the packages, and the files are those of this checkout. */
describe('the image api', () => {
  let packages: string;
  let image: string;
  let dataDir: string;
  let database: TestDatabase;
  const running: ProsaProcess[] = [];

  beforeAll(async () => {
    await buildProduct({ pages: true, pluginTypes: true });
    packages = await installedPackages('api-packages');
    image = await imageFolder('api', packages);
    dataDir = await mkdtemp(join(tmpdir(), 'prosa-image-data-'));
    database = await emptyDatabase();
  }, 600_000);
  afterAll(async () => {
    for (const prosa of running) prosa.kill('SIGKILL');
    await Promise.all(running.map((prosa) => prosa.exit()));
    await database.drop();
    for (const folder of [packages, image, dataDir]) await rm(folder, { recursive: true, force: true });
  });

  function start(environment: Record<string, string>, program: 'dist/main.js' | 'scripts/start.mjs') {
    const prosa = ProsaProcess.start({ PORT: '0', DATA_DIR: dataDir, ...environment }, program, image);
    running.push(prosa);
    return prosa;
  }

  const ofDatabase = () => ({ DATABASE_URL: database.url, ENCRYPTION_KEY: KEY });

  it('has packages of at most 150 MB, no source maps and a list of its packages', async () => {
    expect(await bytesOnDisk(join(packages, 'node_modules'))).toBeLessThan(MAX_MODULES_BYTES);
    const files = await readdir(packages, { recursive: true });
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([]);
    const { components } = JSON.parse(await readFile(join(image, 'sbom.json'), 'utf8')) as {
      components: { name: string; group?: string }[];
    };
    const names = new Set(components.map(({ name }) => name));
    const listed = ['@nestjs/core', 'typeorm', '@livekit/agents', 'jest'].map((name) => names.has(name));
    expect(listed).toEqual([true, true, false, false]);
  });

  it('answers a chat, reads a document and places a call', async () => {
    const prosa = start(
      {
        ...ofDatabase(),
        PROSA_ROLES: 'api,worker',
        BOOTSTRAP_EMAIL: 'operacao@example.com',
        BOOTSTRAP_API_KEY: API_KEY,
        BOOTSTRAP_BALANCE: '10',
        CALLING_HOURS: 'off',
        SANDBOX_SPEED: '50',
      },
      'dist/main.js',
    );
    const url = await prosa.ready();
    const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
      const isForm = body instanceof FormData;
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${API_KEY}`,
          ...(isForm ? {} : { 'Content-Type': 'application/json' }),
        },
        ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      expect({ path, text, isOk: response.ok }).toEqual({ path, text, isOk: true });
      return JSON.parse(text) as Body;
    };

    const made = await call<{ data: { id: number } }>('POST', '/user/assistant', {
      ...ASSISTANT,
      type: 'outbound',
    });
    await call('PUT', `/user/assistant/${made.data.id}`, { status: 'active' });
    const { uuid } = await call<{ uuid: string }>('GET', `/user/assistant/${made.data.id}`);
    const opened = await call<{ conversation_id: string }>('POST', '/conversations', {
      assistant_id: uuid,
      type: 'widget',
    });
    const answer = await call<{ message: string }>(
      'POST',
      `/conversations/${opened.conversation_id}/messages`,
      { message: 'Que horas abre?' },
    );
    expect(answer.message).not.toBe('');

    const base = await call<{ data: { id: number } }>('POST', '/user/knowledgebases', { name: 'Base' });
    const documents = `/user/knowledgebases/${base.data.id}/documents`;
    const form = new FormData();
    form.append('type', 'txt');
    form.append('name', 'Prazos');
    form.append('file', new Blob(['O prazo de entrega é de cinco dias.']), 'prazos.txt');
    const document = await call<{ data: { id: number } }>('POST', documents, form);
    await until(async () => {
      const all = await call<{ data: { id: number; status: string }[] }>('GET', documents);
      return all.data.some(({ id, status }) => id === document.data.id && status === 'active');
    }, 60_000);

    const placed = await call<{ call_id: number }>('POST', '/user/make_call', {
      assistant_id: made.data.id,
      phone_number: '+5511991000000',
    });
    await until(async () => {
      const { status } = await call<{ status: string }>('GET', `/user/calls/${placed.call_id}`);
      return status === 'completed';
    }, 60_000);
    expect(await prosa.stop()).toBe(0);
    expect(prosa.text).not.toMatch(/"level":[56]0|ERR_MODULE_NOT_FOUND/);
  }, 180_000);

  it('ends the voice role with a sentence that names what is missing', async () => {
    const prosa = start({ ...ofDatabase(), PROSA_ROLES: 'voice' }, 'dist/main.js');
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text).toContain(
      'The voice role needs packages that are not installed: @echogarden/rnnoise-wasm,',
    );
    expect(prosa.text).not.toMatch(/^ +at /m);
  });

  it('names what is missing for npm start: first the packages of calls, then the embedded database', async () => {
    const all = start({}, 'scripts/start.mjs');
    expect(await all.exit()).toBe(1);
    expect(all.text).toContain('PROSA_ROLES=api,worker');
    const withoutVoice = start({ PROSA_ROLES: 'api,worker' }, 'scripts/start.mjs');
    expect(await withoutVoice.exit()).toBe(1);
    expect(withoutVoice.text).toContain('There is no embedded PostgreSQL for this machine');
    for (const { text } of [all, withoutVoice]) expect(text).not.toMatch(/^ +at /m);
  });
});
