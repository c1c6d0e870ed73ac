import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerJson, LocalServer } from '../support/http-server.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { isFullLength, lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';
import { type OpenedWebCall, type ShownTurn, WebCaller } from '../support/web-caller.js';

const KILLS = lengthOf(2, 50);
const CALLS_AT_ONCE = 3;
const MICROS_PER_MINUTE = 60_000;
/** Words may be so young when the process dies that they are not on record: half a second, and the way there. */
const YOUNG_MS = 2_500;
/** A dead process's lease, the sweep, and the jobs after the call. */
const REST_MS = 120_000;
const PRICES = { CALL_PRICE_PER_MINUTE: '0.06', CARRIER_PRICE_PER_MINUTE: '0' };

/** What a browser knows of its call. */
interface Killed {
  readonly callId: number;
  /** Shown long enough before the end. */
  readonly words: string;
  readonly killedAt: Date;
}

/** Voice processes die in mid-call, with every line they have; what is left is to end the calls as they were. */
describe('a voice process that is killed again and again', () => {
  let api: TestApp;
  let owner: TestAccount;
  let assistant: { id: number };
  /** An assistant without webhooks: its calls only wait until a new process speaks. */
  let rehearsal: { id: number };
  let folder: string;
  let receiver: LocalServer;
  let worker: ProsaProcess;
  let voice: ProsaProcess;

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-voice-kill-'));
    receiver = await LocalServer.start((_request, response) => answerJson(response, {}));
    const allowed = { EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
    api = await TestApp.start({ ...PRICES, ...allowed });
    owner = await api.account({ balanceUsd: 1_000 });
    assistant = await createAssistant(api, owner, {
      is_webhook_active: true,
      webhook_url: `${receiver.url}/calls`,
      initial_message:
        'Olá! Aqui fala a assistente da loja. Em que posso ajudar você hoje? Diga o que deseja.',
    });
    rehearsal = await createAssistant(api, owner, { initial_message: 'Alô?' });
    worker = start({ PROSA_ROLES: 'api,worker', ...allowed });
    await worker.ready();
    voice = await startVoice();
  }, 180_000);
  afterAll(async () => {
    for (const one of [worker, voice]) one.kill('SIGKILL');
    await Promise.all([worker, voice].map((one) => one.exit()));
    await api.stop();
    await receiver.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const start = (environment: Record<string, string>) =>
    ProsaProcess.start({
      DATABASE_URL: api.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
      ...PRICES,
      ...environment,
    });

  async function startVoice(): Promise<ProsaProcess> {
    const process = start({ PROSA_ROLES: 'voice' });
    await process.says(/Voice is ready/);
    // The sandbox's voice is a process as well, and takes its time on a busy machine; nothing here is about that.
    await until(async () => {
      const { caller } = await call(rehearsal).catch(() => ({ caller: null }));
      caller?.hangUp();
      await caller?.closed();
      return caller !== null;
    }, REST_MS);
    return process;
  }

  async function call({ id } = assistant): Promise<{
    callId: number;
    caller: WebCaller;
    wordsUntil: (ms: number) => string;
  }> {
    const { body } = await api.as(owner).post(`/api/user/assistant/${id}/web-call`).send({}).expect(201);
    const opened = body.data as OpenedWebCall;
    const caller = await WebCaller.connect(opened);
    const shown: { atMs: number; text: string }[] = [];
    const note = ({ role, text = '' }: ShownTurn) => {
      if (role === 'assistant') shown.push({ atMs: performance.now(), text });
    };
    // The first words may have come before anybody listens here.
    caller.shown.forEach(note);
    caller.socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) note(JSON.parse(data.toString('utf8')) as ShownTurn);
    });
    await until(() => shown.length > 0, 30_000);
    return {
      callId: opened.call_id,
      caller,
      wordsUntil: (ms) => shown.findLast(({ atMs }) => atMs <= ms)?.text ?? '',
    };
  }

  it(
    `leaves no call open, charges none beyond its last second, and tells of each once, over ${KILLS} kills`,
    async () => {
      const killed: Killed[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const calls = await Promise.all(Array.from({ length: CALLS_AT_ONCE }, call));
        // At any moment, but for the first time late enough for words that have to be kept.
        await sleep((kill === 0 ? YOUNG_MS + 500 : 0) + Math.random() * 6_500);
        voice.kill('SIGKILL');
        const killedAt = new Date();
        const wordsBefore = performance.now() - YOUNG_MS;
        await voice.exit();
        for (const { callId, caller, wordsUntil } of calls) {
          killed.push({ callId, words: wordsUntil(wordsBefore), killedAt });
          caller.drop();
        }
        voice = await startVoice();
      }
      await until(async () => (await api.query('SELECT 1 FROM active_calls LIMIT 1')).length === 0, REST_MS);
      await until(() => receiver.requests.length >= killed.length, REST_MS);

      for (const { callId, words, killedAt } of killed) {
        const [row] = await api.query<{
          status: string;
          seconds: number;
          transcript: string | null;
          answered: Date;
          paid: number;
          charges: number;
          webhooks: number;
        }>(
          `SELECT status, duration_seconds AS seconds, transcript, answered_at AS answered,
           (SELECT coalesce(-sum(amount_micros), 0)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS paid,
           (SELECT count(*)::int FROM ledger_entries WHERE reference = 'call:' || calls.id) AS charges,
           (SELECT count(*)::int FROM webhook_deliveries
             WHERE kind = 'post-call' AND subject_id = calls.id::text) AS webhooks
         FROM calls WHERE id = $1`,
          [callId],
        );
        const lastedMs = killedAt.getTime() - (row?.answered.getTime() ?? 0);
        expect({ callId, status: row?.status, webhooks: row?.webhooks }).toEqual({
          callId,
          status: 'completed',
          webhooks: 1,
        });
        expect(row?.seconds).toBeLessThanOrEqual(Math.ceil(lastedMs / 1_000));
        expect(row?.paid).toBe(((row?.seconds ?? 0) * MICROS_PER_MINUTE) / 60);
        expect(row?.charges).toBeLessThanOrEqual(1);
        expect(row?.transcript ?? '').toContain(words);
      }
      const [wallet] = await api.query<{ held: number }>(
        'SELECT held_micros::int AS held FROM wallets WHERE user_id = $1',
        [owner.userId],
      );
      expect(wallet?.held).toBe(0);
      const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
      expect(new Set(ids).size).toBe(killed.length);
      const heard = killed.filter(({ words }) => words !== '').length;
      if (isFullLength) {
        process.stdout.write(
          `${KILLS} kills, ${killed.length} calls, ${heard} of them with words that had to be kept\n`,
        );
      }
      expect(heard).toBeGreaterThan(0);
    },
    KILLS * 60_000 + 300_000,
  );
});
