import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { EspeakProcess } from '../../src/providers/speech/sandbox/espeak-process.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { ElevenLabsFake } from '../support/speech-fakes/elevenlabs-fake.js';
import { OpenAiFake } from '../support/speech-fakes/openai-fake.js';
import { keyIn } from '../support/speech-fakes/vendor-fake.js';
import { until } from '../support/until.js';
import { spoken } from '@prosa/testing';
import { answerTo } from '../support/voice/fault-table.js';
import { type OpenedWebCall, WebCaller } from '../support/web-caller.js';

const GREETING = 'Bom dia. Posso ajudar?';
const QUESTION = 'quero marcar uma consulta';
const ANSWER = 'Certo, está anotado. Mais alguma coisa?';
const OURS = 'key-of-the-installation';
const ANAS = 'key-of-ana-0123456789';
const BIAS = 'key-of-bia-0123456789';
/** Of ElevenLabs, one for each account, which identifies its connections. */
const VOICES = { ana: 101, bia: 102, carla: 103 } as const;
/** Within which neither side may be silent in a call whose key is refused. */
const SILENCE_MS = 10_000;

// Counted as skipped where the optional package of espeak-ng is not there: the customer speaks with it.
(EspeakProcess.isInstalled() ? describe : describe.skip)(
  'calls of accounts that have brought keys for speech',
  () => {
    const deepgram = new DeepgramFake();
    const eleven = new ElevenLabsFake();
    const openai = new OpenAiFake();
    const callers: WebCaller[] = [];
    let app: TestApp;
    let folder: string;
    let question: Int16Array;
    let ana: TestAccount;
    let bia: TestAccount;
    let carla: TestAccount;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'prosa-own-keys-'));
      await Promise.all([deepgram.start(), eleven.start(), openai.start()]);
      deepgram.transcriptOf = () => QUESTION;
      openai.heard = QUESTION;
      openai.answerOf = () => ANSWER;
      question = await spoken(QUESTION, 24_000);
      app = await TestApp.start({
        PROSA_ROLES: 'api,worker,voice',
        DATA_DIR: folder,
        OPENAI_BASE_URL: `${openai.url}/v1`,
        DEEPGRAM_API_KEY: OURS,
        DEEPGRAM_BASE_URL: deepgram.url,
        ELEVEN_API_KEY: OURS,
        ELEVEN_BASE_URL: eleven.url,
      });
      [ana, bia, carla] = [await account(), await account(), await account()];
    }, 60_000);
    afterEach(async () => {
      for (const caller of callers.splice(0)) caller.hangUp();
      await until(async () => (await app.query('SELECT FROM active_calls LIMIT 1')).length === 0, 30_000);
    });
    afterAll(async () => {
      await app.stop();
      await Promise.all([deepgram.stop(), eleven.stop(), openai.stop()]);
      await rm(folder, { recursive: true, force: true });
    }, 60_000);

    const account = () => app.account({ balanceUsd: 50 });
    const bring = (who: TestAccount, provider: string, api_key: string) =>
      app.as(who).put(`/api/user/model-keys/speech/${provider}`).send({ api_key }).expect(200);
    const statusOf = async (who: TestAccount, provider: string) =>
      (await app.as(who).get(`/api/user/model-keys/speech/${provider}`).expect(200)).body.data.status;

    async function call(who: TestAccount, voice_id: number): Promise<WebCaller> {
      const { id } = await createAssistant(app, who, { initial_message: GREETING, voice_id });
      const { body } = await app.as(who).post(`/api/user/assistant/${id}/web-call`).send({}).expect(201);
      const caller = await WebCaller.connect(body.data as OpenedWebCall);
      callers.push(caller);
      await answerTo(caller, () => false);
      return caller;
    }

    async function ask(caller: WebCaller): Promise<void> {
      await caller.say(question);
      await answerTo(caller, () => false);
      expect(caller.shown.findLast(({ role }) => role === 'customer')?.text).toBe(QUESTION);
      expect(caller.shown.findLast(({ role }) => role === 'assistant')?.text).toBe(ANSWER);
    }

    const keysSince = (fake: { readonly connections: readonly IncomingMessage[] }, from: number) =>
      [...new Set(fake.connections.slice(from).map(keyIn))].toSorted();
    const counts = () => [deepgram.connections.length, eleven.connections.length] as const;

    it('speak and listen with the key of their account, at the same time as those of others and of the installation', async () => {
      for (const provider of ['deepgram', 'elevenlabs']) {
        await bring(ana, provider, ANAS);
        await bring(bia, provider, BIAS);
      }
      const [heard, said] = counts();
      const calls = await Promise.all([
        call(ana, VOICES.ana),
        call(bia, VOICES.bia),
        call(carla, VOICES.carla),
      ]);
      await Promise.all(calls.map(ask));
      expect(keysSince(deepgram, heard)).toEqual([BIAS, ANAS, OURS].toSorted());
      expect(keysSince(eleven, said)).toEqual([BIAS, ANAS, OURS].toSorted());
      const keyOfVoice = new Map(
        eleven.connections
          .slice(said)
          .map((request) => [/text-to-speech\/([^/]+)/.exec(request.url ?? '')?.[1], keyIn(request)]),
      );
      expect([...keyOfVoice.values()].toSorted()).toEqual([BIAS, ANAS, OURS].toSorted());
      expect(keyOfVoice.get('EXAVITQu4vr4xnSDxMaL')).toBe(ANAS);
      expect(keyOfVoice.get('JBFqnCBsd6RMkjVDRZzb')).toBe(BIAS);
    }, 120_000);

    it('continue when the key is refused in the middle, notify the account, and do not affect others', async () => {
      await app
        .as(ana)
        .post('/api/user/webhook-endpoints')
        .send({ url: 'https://example.com/events', events: ['model-key.refused'] })
        .expect(201);
      const [ofAna, ofBia] = [await call(ana, VOICES.ana), await call(bia, VOICES.bia)];
      const [heard, said] = counts();
      for (const fake of [deepgram, eleven]) {
        fake.keys = new Set([BIAS, OURS]);
        fake.breakAll((request) => keyIn(request) === ANAS);
      }
      await Promise.all([ask(ofAna), ask(ofBia)]);
      expect(ofAna.longestSilenceMs).toBeLessThan(SILENCE_MS);
      expect(ofAna.closeCode).toBeNull();
      // No provider was asked with the installation's key in place of the account's.
      expect(keysSince(deepgram, heard)).not.toContain(OURS);
      expect(keysSince(eleven, said)).not.toContain(OURS);
      for (const provider of ['deepgram', 'elevenlabs'])
        await until(async () => (await statusOf(ana, provider)) === 'refused');
      expect(await statusOf(bia, 'deepgram')).toBe('active');
      const deliveries = () =>
        app.query<{ body: string }>(
          "SELECT body FROM webhook_deliveries WHERE user_id = $1 AND kind = 'model-key.refused' ORDER BY body::jsonb->'data'->>'provider'",
          [ana.userId],
        );
      await until(async () => (await deliveries()).length === 2);
      const bodies = (await deliveries()).map(({ body }) => body);
      expect(bodies.map((body) => JSON.parse(body).data)).toEqual(
        ['deepgram', 'elevenlabs'].map((provider) => ({
          service: 'speech',
          provider,
          base_url: null,
          refused_at: expect.any(String),
        })),
      );
      expect(bodies.join('')).not.toContain(ANAS);
      // The vendor is as good as before for everybody else.
      const [, spoken] = counts();
      await ask(await call(carla, VOICES.carla));
      expect(keysSince(eleven, spoken)).toEqual([OURS]);
    }, 120_000);

    it("have another key with the next call once it is changed, and the installation's once it is removed", async () => {
      deepgram.keys = eleven.keys = null;
      await bring(ana, 'elevenlabs', 'key-of-ana-rotated');
      expect(await statusOf(ana, 'elevenlabs')).toBe('active');
      const open = await call(ana, VOICES.ana);
      const [, said] = counts();
      await bring(ana, 'elevenlabs', 'key-of-ana-once-more');
      await call(ana, VOICES.ana);
      // The one that was open before is still there.
      await ask(open);
      expect(keysSince(eleven, said)).toEqual(['key-of-ana-once-more']);
      await app.as(ana).delete('/api/user/model-keys/speech/elevenlabs').expect(200);
      const [, before] = counts();
      await call(ana, VOICES.ana);
      expect(keysSince(eleven, before)).toEqual([OURS]);
    }, 120_000);
  },
);
