import { afterEach, describe, expect, it } from '@jest/globals';
import { freePort } from '#test/support/free-port.js';
import { answerJson, LocalServer } from '#test/support/http-server.js';
import { hasRedis, RedisServer } from '#test/support/redis-server.js';
import { configFrom } from '../../config/config-from.js';
import { parseEnvironment } from '../../config/environment.js';
import { S3FileStorage } from '../../providers/storage/s3/s3-file-storage.js';
import type { Check } from '../check.js';
import { runChecks } from '../run-checks.js';
import { ChatModelCheck } from './chat-model.check.js';
import { QueueCheck } from './queue.check.js';
import { SpeechCheck } from './speech.check.js';
import { StorageCheck } from './storage.check.js';

const SECRET = 'sk-very-secret-0123456789';
let server: LocalServer | null = null;
let bucket: S3FileStorage | null = null;
afterEach(async () => {
  await bucket?.onApplicationShutdown();
  await server?.stop();
  server = null;
});

/** What a check says, as one line each. No check shows a secret. */
async function said(check: Check, limitMs?: number): Promise<string[]> {
  const lines = (await runChecks([check], limitMs)).map(({ verdict, text }) => `${verdict}: ${text}`);
  expect(lines.join('\n')).not.toContain(SECRET);
  return lines;
}

const configOf = (environment: Record<string, string>) => configFrom(parseEnvironment(environment));

describe('the check of the storage', () => {
  function storageAt(endpoint: string): StorageCheck {
    const keys = { accessKeyId: 'id', secretAccessKey: SECRET };
    const role = { webIdentity: undefined, container: undefined, metadataEndpoint: 'http://127.0.0.1:1' };
    bucket = new S3FileStorage({ endpoint, region: 'us-east-1', bucket: 'prosa', keys, role });
    return new StorageCheck(bucket, 'the bucket prosa');
  }

  it('writes, reads and deletes one file', async () => {
    const files = new Map<string, string>();
    server = await LocalServer.start(({ method, path, body }, response) => {
      if (method === 'PUT') files.set(path, body);
      if (method === 'GET') return void response.end(files.get(path));
      if (method === 'DELETE') files.delete(path);
      response.end();
    });
    expect(await said(storageAt(server.url))).toEqual([
      expect.stringMatching(/^ok: A file was written, read and deleted in the bucket prosa in \d+ ms/),
    ]);
    expect(server.requests.map(({ method }) => method)).toEqual(['PUT', 'GET', 'DELETE']);
    expect(files.size).toBe(0);
  });

  it('names the code of a refusal and not its words', async () => {
    server = await LocalServer.start((_, response) => {
      response.writeHead(403).end(`<Error><Code>AccessDenied</Code><Message>${SECRET}</Message></Error>`);
    });
    expect(await said(storageAt(server.url))).toEqual([
      expect.stringMatching(/^failure: .*answered 403: AccessDenied\)/),
    ]);
  });

  it('finds a service that changes the content', async () => {
    server = await LocalServer.start((_, response) => void response.end('other'));
    expect(await said(storageAt(server.url))).toEqual([expect.stringContaining('another content')]);
  });

  it('finds a service that is away, and one that hangs', async () => {
    expect(await said(storageAt(`http://127.0.0.1:${await freePort()}`))).toEqual([
      expect.stringMatching(/^failure: .*ECONNREFUSED/),
    ]);
    server = await LocalServer.start(() => undefined);
    expect(await said(storageAt(server.url), 200)).toEqual([
      expect.stringContaining('no answer within 0.2 s'),
    ]);
  });
});

describe('the check of the queue', () => {
  it('needs no Redis where none is named, and never shows the password of one that is away', async () => {
    expect(await said(new QueueCheck(undefined))).toEqual([expect.stringMatching(/^ok/)]);
    const away = `redis://:${SECRET}@127.0.0.1:${await freePort()}`;
    expect(await said(new QueueCheck(away))).toEqual([
      expect.stringMatching(/^failure: .*ECONNREFUSED.*correct REDIS_URL/),
    ]);
  });

  (hasRedis ? it : it.skip)(
    'accepts a Redis that keeps all jobs, and a wrong password is a failure',
    async () => {
      const redis = await RedisServer.start();
      try {
        expect(await said(new QueueCheck(redis.url))).toEqual([
          expect.stringMatching(/^ok: Redis [\d.]+ answers/),
        ]);
        const withPassword = redis.url.replace('redis://', `redis://user:${SECRET}@`);
        expect(await said(new QueueCheck(withPassword))).toEqual([expect.stringMatching(/^failure/)]);
      } finally {
        await redis.signal('SIGKILL');
      }
    },
  );
});

describe('the checks of keys', () => {
  async function serverAnswering(status: number): Promise<string> {
    server = await LocalServer.start((_, response) =>
      answerJson(response, status === 200 ? { data: [{ id: 'm' }] } : { error: { message: SECRET } }, status),
    );
    return server.url;
  }

  it.each([
    [200, 'ok'],
    [401, 'failure'],
    [500, 'warning'],
  ])('say of a model server that answers %d: %s', async (status, verdict) => {
    const { model } = configOf({ OPENAI_BASE_URL: await serverAnswering(status), OPENAI_API_KEY: SECRET });
    expect(await said(new ChatModelCheck(model))).toEqual([expect.stringMatching(`^${verdict}: `)]);
    expect(server?.requests[0]).toMatchObject({
      method: 'GET',
      path: '/models',
      headers: { authorization: `Bearer ${SECRET}` },
    });
  });

  it.each([
    [200, 'ok'],
    [401, 'failure: Deepgram refuses the key: correct DEEPGRAM_API_KEY.'],
    [503, 'warning'],
  ])('say of a provider of speech that answers %d: %s', async (status, expected) => {
    const url = await serverAnswering(status);
    const { speech, model } = configOf({ DEEPGRAM_API_KEY: SECRET, DEEPGRAM_BASE_URL: url });
    expect(await said(new SpeechCheck(speech, model))).toEqual([expect.stringMatching(`^${expected}`)]);
  });

  it('ask a speech server of OpenAI’s kind at its own address, with its own key', async () => {
    const url = await serverAnswering(401);
    const { speech, model } = configOf({
      SPEECH_BASE_URL: `${url}/v1`,
      SPEECH_API_KEY: SECRET,
      OPENAI_API_KEY: 'other',
    });
    expect(await said(new SpeechCheck(speech, model))).toEqual([expect.stringMatching(/^failure/)]);
    expect(server?.requests[0]).toMatchObject({
      path: '/v1/models',
      headers: { authorization: `Bearer ${SECRET}` },
    });
  });

  it('warn of the sandbox, and ask the server of the chat model once', async () => {
    const none = configOf({});
    expect(await said(new ChatModelCheck(none.model))).toEqual([
      expect.stringMatching(/^warning: .*sandbox/),
    ]);
    expect(await said(new SpeechCheck(none.speech, none.model))).toEqual([
      expect.stringMatching(/^warning: .*sandbox/),
    ]);
    const same = configOf({ OPENAI_API_KEY: SECRET });
    expect(await said(new SpeechCheck(same.speech, same.model))).toEqual([expect.stringMatching(/^ok/)]);
  });
});
