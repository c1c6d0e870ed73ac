import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Authenticator } from '../../src/common/auth/authenticator.js';
import { makeToken } from '../../src/common/auth/opaque-token.js';
import { SecretBox, type SecretPlace, SecretUnreadableError } from '../../src/common/crypto/secret-box.js';
import { ApiKeysService } from '../../src/modules/api-keys/api-keys.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { FakeModelServer } from '../support/fake-model-server.js';
import { DeepgramFake } from '../support/speech-fakes/deepgram-fake.js';
import { extensionBody } from '../support/belongings.js';
import { createAssistant, createTool, toolBody } from '../support/builders.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-. ';
const PASSWORD = 'canary-password-93af';
const CANARIES = {
  header: 'canary-header-1c22e0',
  newHeader: 'canary-header-77ab19',
  keyedHeader: 'canary-header-e05d3b',
  sipPassword: 'canary-sip-55d0c4',
  newSipPassword: 'canary-sip-0be871',
  calendarKey: 'cal_live_canary-8891fe',
  mcpHeader: 'canary-mcp-header-90c1d2',
  twilioToken: 'canary-twilio-4be6a0',
  newTwilioToken: 'canary-twilio-d21c55',
  modelKey: 'canary-model-key-5f1e07',
  speechKey: 'canary-speech-key-8a2d41',
};

/** Numbers that look random and are the same in every run. */
function* numbersBelow(limit: number): Generator<number, never> {
  for (let state = 1; ;) {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    yield Math.floor((state / 2 ** 31) * limit);
  }
}

describe('Secrets at rest', () => {
  const deepgram = new DeepgramFake();
  let app: TestApp;
  let account: TestAccount;
  let other: TestAccount;
  let tool: number;
  let otherTool: number;
  let trunk: number;
  let mcpServer: number;
  let assistant: number;
  let twilio: string;
  let models: FakeModelServer;

  beforeAll(async () => {
    await deepgram.start();
    app = await TestApp.start({
      PUBLIC_URL: 'https://prosa.example',
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      DEEPGRAM_BASE_URL: deepgram.url,
    });
    models = await FakeModelServer.start(CANARIES.modelKey);
    account = await app.account({ password: PASSWORD });
    other = await app.account();
    tool = await createTool(app, account, {
      headers: [{ name: 'Authorization', value: `Bearer ${CANARIES.header}` }],
    });
    otherTool = await createTool(app, other, { headers: [{ name: 'X-Key', value: CANARIES.newHeader }] });
    const { body } = await app
      .as(account)
      .post('/api/user/phone-numbers/sip-trunks')
      .send({ ...extensionBody(1), sip_password: CANARIES.sipPassword })
      .expect(201);
    trunk = body.data.id;
    await app
      .as(account)
      .put(`/api/user/phone-numbers/sip-trunks/${trunk}`)
      .send({ sip_password: CANARIES.newSipPassword })
      .expect(200);
    const { body: registered } = await app
      .as(account)
      .post('/api/user/mcp-servers')
      .send({
        name: 'crm',
        url: 'https://example.com/mcp',
        headers: [{ name: 'Authorization', value: `Bearer ${CANARIES.mcpHeader}` }],
      })
      .expect(201);
    mcpServer = registered.data.id;
    for (const auth_token of [CANARIES.twilioToken, CANARIES.newTwilioToken]) {
      const { body: stored } = await app
        .as(account)
        .put('/api/user/carrier-accounts/twilio')
        .send({ account_sid: `AC${'7'.repeat(32)}`, auth_token })
        .expect(200);
      twilio = stored.data.id;
    }
    await app
      .as(account)
      .put('/api/user/model-keys/chat')
      .send({ base_url: models.baseUrl, api_key: CANARIES.modelKey })
      .expect(200);
    await app
      .as(account)
      .put('/api/user/model-keys/speech/deepgram')
      .send({ api_key: CANARIES.speechKey })
      .expect(200);
    ({ id: assistant } = await createAssistant(app, account, {
      tools: [
        {
          type: 'calendar_integration',
          extcal_api_key: CANARIES.calendarKey,
          extcal_event_slug: 'visita',
        },
      ],
    }));
  });
  afterAll(async () => {
    await app.stop();
    await Promise.all([models.stop(), deepgram.stop()]);
  });

  /** Every row of every table, the queue's included, as text. */
  async function dump(): Promise<string> {
    const tables = await app.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await app.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join('\n');
  }

  /** The secret as it is, and as the usual encodings show it. */
  function formsOf(secret: string): string[] {
    const bytes = Buffer.from(secret);
    const base64 = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
    return [secret, bytes.toString('hex'), base64, base64.replaceAll('+', '-').replaceAll('/', '_')];
  }

  function hits(text: string, secrets: readonly string[]): string[] {
    return secrets.filter((secret) => formsOf(secret).some((form) => text.includes(form)));
  }

  describe('API keys', () => {
    it('leave no plaintext in any table, in any encoding', async () => {
      const tokens = [account.token, other.token];
      for (let index = 0; index < 25; index++) {
        const { userId } = await app.account();
        const created = await Promise.all(
          Array.from({ length: 4 }, () => app.app.get(ApiKeysService).create(userId, 'dump')),
        );
        tokens.push(...created.map(({ token }) => token));
      }
      const { body } = await app.http
        .post('/api/auth/login')
        .send({ email: account.email, password: PASSWORD })
        .expect(200);
      tokens.push(body.token);
      await app.as({ token: body.token }).get('/api/user/me').expect(200);

      const text = await dump();
      expect(text).toContain(account.email);
      expect(hits(text, [...tokens, PASSWORD])).toEqual([]);
      // Not even the part that is random.
      expect(tokens.filter((token) => text.includes(token.slice(-30)))).toEqual([]);
    });

    it('of 10,000 mutated tokens all are refused before the database is asked', async () => {
      const authenticator = app.app.get(Authenticator);
      const driver = app.app.get(DataSource).driver as unknown as { master: { connect: () => unknown } };
      const connect = jest.spyOn(driver.master, 'connect');
      const lookUp = jest.spyOn(app.app.get(ApiKeysService), 'authenticate');
      try {
        const random = numbersBelow(1_000_000);
        const next = (limit: number) => random.next().value % limit;
        for (let index = 0; index < 10_000; index++) {
          const token = index % 2 === 0 ? account.token : makeToken('prosa_sess_');
          const mutated = mutate(token, next);
          if ((await authenticator.authenticate(mutated)) !== null) throw new Error(`taken: ${index}`);
        }
        // No step has waited, so no other work of the process ran in between.
        expect(connect).not.toHaveBeenCalled();
        for (let index = 0; index < 100; index++) {
          const token = mutate(account.token, next).trim() || 'x';
          await app.as({ token }).get('/api/user/me').expect(401, { message: 'Não autorizado' });
        }
        expect(lookUp).not.toHaveBeenCalled();
        await app.as(account).get('/api/user/me').expect(200);
        expect(lookUp).toHaveBeenCalledTimes(1);
        expect(connect).toHaveBeenCalled();
      } finally {
        connect.mockRestore();
        lookUp.mockRestore();
      }
    });

    /** One character changed, dropped, doubled or swapped with another one. */
    function mutate(token: string, next: (limit: number) => number): string {
      const at = next(token.length);
      const kind = next(4);
      const wrong = ALPHABET.replace(token.charAt(at), '');
      const replacement = wrong.charAt(next(wrong.length));
      if (kind === 1) return token.slice(0, at) + token.slice(at + 1);
      if (kind === 2) return token.slice(0, at) + token.charAt(at) + token.slice(at);
      if (kind === 3) return `${token.slice(0, at)}${replacement}${token.slice(at)}`;
      return token.slice(0, at) + replacement + token.slice(at + 1);
    }
  });

  describe('Tool headers, SIP passwords, calendar keys, tokens of carriers and webhook secrets', () => {
    it('leave no plaintext in any table, in any encoding', async () => {
      await app
        .as(account)
        .put(`/api/user/tools/${tool}`)
        .send({ headers: [{ name: 'Authorization', value: CANARIES.newHeader }] })
        .expect(200);
      // Its answer, which shows them, is kept for a day.
      const keyed = () =>
        app
          .as(account)
          .post('/api/user/tools')
          .set('Idempotency-Key', 'k')
          .send(toolBody({ name: 'keyed', headers: [{ name: 'X-Key', value: CANARIES.keyedHeader }] }));
      expect((await keyed().expect(201)).text).toContain(CANARIES.keyedHeader);
      expect((await keyed().expect(201)).text).toContain(CANARIES.keyedHeader);
      const { body: first } = await app.as(account).get('/api/user/webhook-secret').expect(200);
      const { body: second } = await app.as(account).post('/api/user/webhook-secret/rotate').expect(200);
      const { body: registered } = await app
        .as(account)
        .post('/api/user/webhook-endpoints')
        .send({ url: 'https://example.com/events' })
        .expect(201);
      const { body: third } = await app
        .as(account)
        .get(`/api/user/webhook-endpoints/${registered.data.id}/secret`)
        .expect(200);
      const webhookSecrets = [first.secret, second.data.secret, third.secret].map((secret: string) =>
        secret.replace('whsec_', ''),
      );
      const text = await dump();
      expect(text).toContain('sip.example.com');
      expect(hits(text, [...Object.values(CANARIES), ...webhookSecrets])).toEqual([]);
    });

    it('are given back to their owner, or used, and only there', async () => {
      const { body } = await app
        .as(account)
        .get(`/api/user/tools/${tool}`)
        .set('Content-Type', 'application/json')
        .set('Accept', 'application/json')
        .expect(200);
      expect(body.headers).toEqual([{ name: 'Authorization', value: CANARIES.newHeader }]);
      const { text: shown } = await app
        .as(account)
        .get(`/api/user/phone-numbers/sip-trunks/${trunk}`)
        .expect(200);
      const { text: read } = await app.as(account).get(`/api/user/assistant/${assistant}`).expect(200);
      const { text: masked } = await app.as(account).get('/api/user/mcp-servers').expect(200);
      const { text: ofCarrier } = await app.as(account).get('/api/user/carrier-accounts/twilio').expect(200);
      const { text: ofModels } = await app.as(account).get('/api/user/model-keys/chat').expect(200);
      const { text: ofSpeech } = await app.as(account).get('/api/user/model-keys/speech').expect(200);
      expect(hits(shown + read + masked + ofCarrier + ofModels + ofSpeech, Object.values(CANARIES))).toEqual(
        [],
      );
    });

    it.each([
      ['tool headers', 'tools', 'sealed_headers', 'tools.headers', () => tool],
      ['a SIP password', 'sip_trunks', 'sealed_password', 'sip_trunks.password', () => trunk],
      ['MCP headers', 'mcp_servers', 'sealed_headers', 'mcp_servers.headers', () => mcpServer],
      [
        "a carrier's token",
        'carrier_accounts',
        'sealed_auth_token',
        'carrier_accounts.auth_token',
        () => twilio,
      ],
      ['a key for models', 'model_keys', 'sealed_api_key', 'model_keys.api_key', () => 'chat'],
      ['a key for speech', 'model_keys', 'sealed_api_key', 'model_keys.api_key', () => 'speech-deepgram'],
      ['calendar keys', 'assistants', 'sealed_calendar_keys', 'assistants.calendar_keys', () => assistant],
    ])(
      '%s do not open in 1,000 other rows, tenants and columns',
      async (_name, table, column, place, row) => {
        const box = app.app.get(SecretBox);
        const own: SecretPlace = { userId: account.userId, column: place, rowId: row() };
        const [stored] = await app.query<{ sealed: string }>(
          `SELECT ${column} AS sealed FROM ${table} WHERE user_id = $1 AND ${table === 'model_keys' ? 'service' : 'id'} = $2`,
          [account.userId, row()],
        );
        const sealed = stored?.sealed ?? '';
        expect(box.open(sealed, own)).toMatch(/canary/);
        let refused = 0;
        for (let index = 1; index <= 334; index++) {
          for (const elsewhere of [
            { ...own, userId: account.userId + index },
            { ...own, rowId: typeof own.rowId === 'number' ? own.rowId + index : `${own.rowId}${index}` },
            { ...own, column: `${place}_${index}` },
          ]) {
            expect(() => box.open(sealed, elsewhere)).toThrow(SecretUnreadableError);
            refused += 1;
          }
        }
        expect(refused).toBeGreaterThanOrEqual(1_000);
      },
    );

    it('moved to a row of another tenant are not shown there', async () => {
      const [mine] = await app.query<{ sealed: string }>(
        'SELECT sealed_headers AS sealed FROM tools WHERE id = $1',
        [tool],
      );
      const [theirs] = await app.query<{ sealed: string }>(
        'SELECT sealed_headers AS sealed FROM tools WHERE id = $1',
        [otherTool],
      );
      await app.query('UPDATE tools SET sealed_headers = $2 WHERE id = $1', [otherTool, mine?.sealed]);
      const { text } = await app
        .as(other)
        .get(`/api/user/tools/${otherTool}`)
        .set('Content-Type', 'application/json')
        .set('Accept', 'application/json')
        .expect(500);
      expect(text).not.toContain('canary');
      await app.query('UPDATE tools SET sealed_headers = $2 WHERE id = $1', [otherTool, theirs?.sealed]);
    });
  });
});
