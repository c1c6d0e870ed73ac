import { setTimeout as sleep } from 'node:timers/promises';
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createAssistant, openConversation } from '../support/builders.js';
import { lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { until } from '../support/until.js';

const KILLS = lengthOf(2, 8);
const CONVERSATIONS = 6;

/** Processes die at any instant; what was acknowledged stays, and money follows answers exactly. */
describe('a chat server that is killed again and again', () => {
  const model = new LLMock({ port: 0 });
  let observer: TestApp;
  let owner: TestAccount;
  let uuids: string[];

  beforeAll(async () => {
    await buildProduct();
    model.onMessage('Mensagem', { content: 'Resposta.' }, { latency: 30 });
    await model.start();
    observer = await TestApp.start();
    owner = await observer.account({ balanceUsd: 50 });
    const assistant = await createAssistant(observer, owner);
    uuids = await Promise.all(
      Array.from({ length: CONVERSATIONS }, () => openConversation(observer, assistant)),
    );
  }, 120_000);
  afterAll(async () => {
    await observer.stop();
    await model.stop();
  });

  const startProsa = () =>
    ProsaProcess.start({
      DATABASE_URL: observer.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_MODEL: 'any',
      PROSA_ROLES: 'api',
      PORT: '0',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'fatal',
    });

  it(`answers what it acknowledged and charges each answer once, over ${KILLS} kills`, async () => {
    const acknowledged: string[] = [];
    let interrupted = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      const prosa = startProsa();
      const url = await prosa.ready();
      const killed = new AbortController();
      const lanes = uuids.map(async (uuid, lane) => {
        for (let turn = 0; !killed.signal.aborted; turn++) {
          const text = `Mensagem ${kill}-${lane}-${turn}`;
          try {
            const response = await fetch(`${url}/api/conversations/${uuid}/messages`, {
              method: 'POST',
              headers: { 'Content-Type': 'application/json' },
              body: JSON.stringify({ message: text }),
            });
            if (response.status === 200) acknowledged.push(text);
          } catch {
            interrupted++;
            return;
          }
        }
      });
      // However slow the machine is, each process has answered all conversations once before it dies in mid-turn.
      const enough = acknowledged.length + CONVERSATIONS;
      await until(() => acknowledged.length >= enough, 20_000);
      await sleep(90 * kill);
      killed.abort();
      prosa.kill('SIGKILL');
      await prosa.exit();
      await Promise.all(lanes);
      // A conversation is free again once the dead turn's lease has run out; the next round need not wait for it.
      await observer.query('UPDATE conversations SET turn_expires_at = now() WHERE turn_token IS NOT NULL');
    }

    await observer.query("UPDATE holds SET created_at = now() - interval '10 minutes' WHERE state = 'held'");
    await observer.app.get(BillingService).sweepStaleHolds();

    const rows = await observer.query<{ role: string; author: string; content: string }>(
      "SELECT role, author, content FROM messages WHERE author <> 'ai' OR content = 'Resposta.' ORDER BY id",
    );
    const stored = rows.filter(({ role }) => role === 'user').map(({ content }) => content);
    const answers = rows.filter(({ content }) => content === 'Resposta.').length;
    const [books] = await observer.query<Record<string, string>>(
      `SELECT balance_micros, held_micros,
         (SELECT sum(amount_micros) FROM ledger_entries) AS entries,
         (SELECT count(*) FROM ledger_entries WHERE kind = 'message') AS charged,
         (SELECT count(DISTINCT reference) FROM ledger_entries WHERE kind = 'message') AS references
       FROM wallets WHERE user_id = $1`,
      [owner.userId],
    );

    expect(interrupted).toBeGreaterThan(KILLS);
    expect(acknowledged.length).toBeGreaterThan(CONVERSATIONS);
    expect(new Set(stored)).toEqual(new Set([...acknowledged, ...stored]));
    expect(new Set(stored).size).toBe(stored.length);
    expect(Number(books?.charged)).toBe(answers);
    expect(Number(books?.references)).toBe(answers);
    expect(answers).toBeGreaterThanOrEqual(acknowledged.length);
    expect(Number(books?.held_micros)).toBe(0);
    expect(Number(books?.balance_micros)).toBe(50_000_000 - answers * 10_000);
    expect(Number(books?.entries)).toBe(Number(books?.balance_micros));
  }, 120_000);
});
