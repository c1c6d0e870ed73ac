import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions } from '../../src/database/transactions.js';
import { BillingService } from '../../src/modules/billing/billing.service.js';
import { VisitorSpendService } from '../../src/modules/billing/spend/visitor-spend.service.js';
import { IdleConversationsService } from '../../src/modules/conversations/endings/idle-conversations.service.js';
import { VisitorRecordsService } from '../../src/modules/visitors/visitor-records.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { waitsForLock } from '../support/lock-waits.js';

const ASSISTANT_CAP_USD = 1;
const ACCOUNT_CAP_USD = 1.5;
const WEBHOOK = { is_webhook_active: true, webhook_url: 'https://example.com/hooks' };

let addresses = 0;
/** An address that no test has used before. */
const newAddress = () => `203.0.${Math.floor(++addresses / 250)}.${addresses % 250}`;

describe('limits on visitors', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start({
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      VISITOR_DAILY_SPEND_PER_ASSISTANT: String(ASSISTANT_CAP_USD),
      VISITOR_DAILY_SPEND_PER_ACCOUNT: String(ACCOUNT_CAP_USD),
    });
  });
  afterAll(() => app.stop());

  const post = (path: string, body: object, address = newAddress()) =>
    app.http.post(path).set('X-Forwarded-For', address).send(body);
  const open = (assistant: CreatedAssistant, address?: string) =>
    post('/api/conversations', { assistant_id: assistant.uuid }, address);
  const opened = async (assistant: CreatedAssistant): Promise<string> =>
    (await open(assistant).expect(200)).body.conversation_id;
  const send = (uuid: string, address?: string) =>
    post(`/api/conversations/${uuid}/messages`, { message: 'Olá' }, address);
  const statusesOf = (answers: readonly { status: number }[]) =>
    answers.map(({ status }) => status).toSorted((a, b) => a - b);
  const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

  async function booksOf({ userId }: TestAccount) {
    const [row] = await app.query<Record<string, string>>(
      'SELECT balance_micros, held_micros, visitors_micros FROM wallets WHERE user_id = $1',
      [userId],
    );
    return {
      balance: Number(row?.balance_micros),
      held: Number(row?.held_micros),
      visitors: Number(row?.visitors_micros),
    };
  }

  /** A stranger who knows an assistant's uuid and nothing else, and wants its owner's money. */
  async function attack(assistant: CreatedAssistant, address: string): Promise<void> {
    for (let conversation = 0; conversation < 12; conversation++) {
      const { status, body } = await open(assistant, address);
      if (status !== 200) return;
      for (let message = 0; message < 30; message++) {
        if ((await send(body.conversation_id, address)).status !== 200) break;
      }
    }
  }

  describe('money', () => {
    it('one address that wants it all gets the cap of the assistant, and no more', async () => {
      const owner = await app.account({ balanceUsd: 3 });
      await attack(await createAssistant(app, owner), newAddress());
      expect(await booksOf(owner)).toEqual({ balance: 2_000_000, held: 0, visitors: 1_000_000 });
    }, 120_000);

    it('ten addresses at once get the cap of the account, whose owner goes on calling and testing', async () => {
      const owner = await app.account({ balanceUsd: 3 });
      const assistants = [await createAssistant(app, owner), await createAssistant(app, owner)];
      await Promise.all(
        Array.from({ length: 10 }, (_, index) => attack(assistants[index % 2]!, newAddress())),
      );
      expect(await booksOf(owner)).toEqual({ balance: 1_500_000, held: 0, visitors: 1_500_000 });

      const call = { assistant_id: assistants[0]!.id, phone_number: '+5511912340000' };
      await app.as(owner).post('/api/user/make_call').send(call).expect(200);
      const test = await app
        .as(owner)
        .post('/api/conversations')
        .send({ assistant_id: assistants[0]!.uuid, type: 'test' })
        .expect(200);
      await send(test.body.conversation_id).expect(200);
    }, 120_000);

    it('refuses the message after the last one that fits, with 429, in English, until midnight UTC', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await opened(await createAssistant(app, owner, { visitor_daily_spend: 0.02 }));
      await send(uuid).expect(200);
      await send(uuid).expect(200);
      const { body, headers } = await send(uuid).expect(429);
      const seconds = Number(headers['retry-after']);
      expect(body).toEqual({
        status: false,
        error: `This assistant has reached its limit for now. Try again in ${seconds} seconds`,
        retry_after: seconds,
      });
      const midnight = new Date().setUTCHours(24, 0, 0, 0);
      expect(Math.abs(Date.now() + seconds * 1_000 - midnight)).toBeLessThan(5_000);
      const { body: read } = await app.http.get(`/api/conversations/${uuid}`).expect(200);
      expect(read.history.filter(({ role }: { role: string }) => role === 'user')).toHaveLength(2);
    });

    it('says that the balance is too low before it says that a limit is reached', async () => {
      const owner = await app.account({ balanceUsd: 0.01 });
      const uuid = await opened(await createAssistant(app, owner, { visitor_daily_spend: 0.01 }));
      await send(uuid).expect(200);
      const { body } = await send(uuid).expect(400);
      expect(body.error).toBe('Insufficient balance. Please top up your account.');
    });

    it('of 30 messages at once exactly those within the cap are charged', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, { visitor_daily_spend: 0.07 });
      const uuids = await Promise.all(times(30, assistant).map(opened));
      const answers = await Promise.all(uuids.map((uuid) => send(uuid)));
      expect(statusesOf(answers)).toEqual([...times(7, 200), ...times(23, 429)]);
      expect(await booksOf(owner)).toEqual({ balance: 930_000, held: 0, visitors: 70_000 });
    }, 60_000);

    it('a limit of zero lets nothing through', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await opened(await createAssistant(app, owner, { visitor_daily_spend: 0 }));
      await send(uuid).expect(429);
      expect((await booksOf(owner)).visitors).toBe(0);
    });

    it('an account sets a cap of its own, and goes back to that of the installation with null', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const uuid = await opened(await createAssistant(app, owner));
      const put = (value: unknown) =>
        app.as(owner).put('/api/user/billing/limits').send({ visitor_daily_spend: value });
      const { body } = await put(0.01).expect(200);
      expect(body.data).toEqual({ visitor_daily_spend: 0.01, is_default: false });
      await send(uuid).expect(200);
      await send(uuid).expect(429);
      await put(null).expect(200);
      const { body: read } = await app.as(owner).get('/api/user/billing/limits').expect(200);
      expect(read).toEqual({ visitor_daily_spend: ACCOUNT_CAP_USD, is_default: true });
      await send(uuid).expect(200);
      for (const wrong of [-1, 'much', undefined]) await put(wrong).expect(422);
    });

    it('money that is given back can be spent again that day, but its message was one of the hour', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const { id: assistantId } = await createAssistant(app, owner);
      const [spend, billing] = [app.app.get(VisitorSpendService), app.app.get(BillingService)];
      const transactions = app.app.get(Transactions, { strict: false });
      const budget = { assistantId, messagesPerHour: 3, dailySpendMicros: 10_000 };
      const hold = (reference: string) =>
        transactions.run((tx) =>
          spend.hold(owner.userId, { kind: 'message', amountMicros: 10_000, reference }, budget, tx),
        );
      await billing.void(await hold('first'));
      expect(await booksOf(owner)).toEqual({ balance: 1_000_000, held: 0, visitors: 0 });
      await billing.void(await hold('second'));
      await hold('third');
      await expect(hold('fourth')).rejects.toMatchObject({ limit: 'daily_spend_per_assistant' });
      expect((await booksOf(owner)).held).toBe(10_000);
      const [usage] = await app.query(
        'SELECT spent_micros, messages FROM visitor_usage WHERE assistant_id = $1',
        [assistantId],
      );
      expect(usage).toEqual({ spent_micros: '10000', messages: 3 });
    });

    it('what a call has not used of its longest duration is no spending of visitors', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const { id: assistantId } = await createAssistant(app, owner);
      const [spend, billing] = [app.app.get(VisitorSpendService), app.app.get(BillingService)];
      const transactions = app.app.get(Transactions, { strict: false });
      const budget = { assistantId, messagesPerHour: 100, dailySpendMicros: 10_000 };
      for (const reference of ['first', 'second', 'third']) {
        const held = await transactions.run((tx) =>
          spend.hold(owner.userId, { kind: 'call', amountMicros: 9_000, reference }, budget, tx),
        );
        await transactions.run((tx) => billing.capturePart(held, 100, tx));
      }

      expect(await booksOf(owner)).toEqual({ balance: 999_700, held: 0, visitors: 300 });
      const [usage] = await app.query('SELECT spent_micros FROM visitor_usage WHERE assistant_id = $1', [
        assistantId,
      ]);
      expect(usage).toEqual({ spent_micros: '300' });
    });

    it('a message that waits for a locked wallet does not lock the counter of the assistant', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const { id: assistantId } = await createAssistant(app, owner);
      const [spend, billing] = [app.app.get(VisitorSpendService), app.app.get(BillingService)];
      const transactions = app.app.get(Transactions, { strict: false });
      const budget = { assistantId, messagesPerHour: 100, dailySpendMicros: 100_000 };
      const hold = (reference: string) =>
        transactions.run((tx) =>
          spend.hold(owner.userId, { kind: 'message', amountMicros: 100, reference }, budget, tx),
        );
      await hold('first');
      const { second } = await transactions.run(async (tx) => {
        await billing.affordable(owner.userId, 100, 1, tx);
        const waiting = hold('second');
        await waitsForLock(app);
        await app.query('SELECT FROM visitor_usage WHERE assistant_id = $1 FOR UPDATE NOWAIT', [assistantId]);
        return { second: waiting };
      });
      await second;

      expect((await booksOf(owner)).held).toBe(200);
    });

    it('a new day begins at zero, and a clock that was set back does not', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, { visitor_daily_spend: 0.01 });
      const uuid = await opened(assistant);
      const move = async (days: number) => {
        await app.query('UPDATE visitor_usage SET day = day + $2::integer WHERE assistant_id = $1', [
          assistant.id,
          days,
        ]);
        await app.query('UPDATE wallets SET visitors_on = visitors_on + $2::integer WHERE user_id = $1', [
          owner.userId,
          days,
        ]);
      };
      await send(uuid).expect(200);
      await move(1);
      await send(uuid).expect(429);
      await move(-2);
      await send(uuid).expect(200);
      await send(uuid).expect(429);
    });
  });

  describe('messages and conversations', () => {
    it('lets as many messages an hour through as the assistant allows', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, { visitor_messages_per_hour: 2 });
      const uuid = await opened(assistant);
      await send(uuid).expect(200);
      await send(await opened(assistant)).expect(200);
      const { headers } = await send(uuid).expect(429);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3_600);
      await app.query("UPDATE visitor_usage SET hour = hour - interval '1 hour' WHERE assistant_id = $1", [
        assistant.id,
      ]);
      await send(uuid).expect(200);
    });

    it('opens as many conversations an hour as the assistant allows, also when all come at once', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, { visitor_conversations_per_hour: 5 });
      const answers = await Promise.all(times(20, assistant).map((each) => open(each)));
      expect(statusesOf(answers)).toEqual([...times(5, 200), ...times(15, 429)]);
      const [row] = await app.query('SELECT count(*) FROM conversations WHERE assistant_id = $1', [
        assistant.id,
      ]);
      expect(row).toEqual({ count: '5' });
      await app.query("UPDATE visitor_openings SET hour = hour - interval '1 hour' WHERE assistant_id = $1", [
        assistant.id,
      ]);
      await open(assistant).expect(200);
    });

    it('opens as many for one address, and others for other addresses', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, { visitor_conversations_per_address_per_hour: 2 });
      const address = newAddress();
      await open(assistant, address).expect(200);
      await open(assistant, address).expect(200);
      await open(assistant, address).expect(429);
      await open(assistant, newAddress()).expect(200);
      await open(await createAssistant(app, owner), address).expect(200);
    });

    it('counts no conversation that it refuses', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, {
        visitor_conversations_per_hour: 2,
        visitor_conversations_per_address_per_hour: 1,
      });
      const address = newAddress();
      await open(assistant, address).expect(200);
      for (let tries = 0; tries < 5; tries++) await open(assistant, address).expect(429);
      await open(assistant).expect(200);
      await open(assistant).expect(429);
    });

    it('does not limit requests with the token of the owner', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, {
        visitor_conversations_per_hour: 0,
        allowed_origins: ['https://shop.example'],
        challenge_required: true,
      });
      const request = { assistant_id: assistant.uuid };
      await app.as(owner).post('/api/conversations').send(request).expect(200);
      await app
        .as(await app.account())
        .post('/api/conversations')
        .send(request)
        .expect(403);
    });
  });

  describe('the owner', () => {
    it('is notified once a day of each limit: in a list, by an event, and by a metric', async () => {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner, {
        ...WEBHOOK,
        name: 'Loja',
        visitor_daily_spend: 0.01,
        visitor_conversations_per_hour: 1,
      });
      const uuid = await opened(assistant);
      await send(uuid).expect(200);
      await Promise.all(times(5, uuid).map((each) => send(each).expect(429)));
      await open(assistant).expect(429);

      const { body } = await app.as(owner).get('/api/user/alerts').expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({ limit: 'conversations_per_hour', value: 1, assistant_id: assistant.id }),
        expect.objectContaining({
          limit: 'daily_spend_per_assistant',
          value: 0.01,
          assistant_id: assistant.id,
          assistant_uuid: assistant.uuid,
          assistant_name: 'Loja',
        }),
      ]);
      const events = await app.query<{ body: string; url: string }>(
        `SELECT body, url FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
         WHERE d.user_id = $1 AND kind = 'limit-reached' ORDER BY d.id`,
        [owner.userId],
      );
      expect(events.map(({ url }) => url)).toEqual(times(2, WEBHOOK.webhook_url));
      expect(JSON.parse(events[0]!.body)).toEqual({
        event: 'limit.reached',
        id: body.data[1].id,
        limit: 'daily_spend_per_assistant',
        value: 0.01,
        assistant_id: assistant.uuid,
        assistant_name: 'Loja',
        scope: 'assistant',
        reached_at: body.data[1].created_at,
        resets_at: body.data[1].resets_at,
      });
      const text = await app.metrics();
      expect(text).toMatch(/prosa_visitor_refusals_total\{limit="daily_spend_per_assistant"\} [1-9]/);
      const stranger = await app.account();
      expect((await app.as(stranger).get('/api/user/alerts').expect(200)).body.data).toEqual([]);
    });

    it("hears of the account's cap once, at whichever assistants it is reached", async () => {
      const owner = await app.account({ balanceUsd: 1 });
      await app.as(owner).put('/api/user/billing/limits').send({ visitor_daily_spend: 0 }).expect(200);
      const webhook = { conversation_ended_webhook_url: 'https://example.com/ended' };
      for (let count = 0; count < 2; count++) {
        await send(await opened(await createAssistant(app, owner, webhook))).expect(429);
      }
      const { body } = await app.as(owner).get('/api/user/alerts').expect(200);
      expect(body.data).toEqual([
        expect.objectContaining({ limit: 'daily_spend_per_account', value: 0, assistant_id: null }),
      ]);
      const events = await app.query(
        "SELECT body::jsonb->>'scope' AS scope FROM webhook_deliveries WHERE user_id = $1",
        [owner.userId],
      );
      expect(events).toEqual([{ scope: 'account' }]);
    });
  });

  it('leaves nothing behind: old counters, old alerts, conversations without a message', async () => {
    const owner = await app.account({ balanceUsd: 1 });
    const assistant = await createAssistant(app, owner, { visitor_conversations_per_hour: 4 });
    const [unused, fresh, used, answered] = [
      await opened(assistant),
      await opened(assistant),
      await opened(assistant),
      await opened(assistant),
    ];
    await open(assistant).expect(429);
    await send(used).expect(200);
    await app
      .as(owner)
      .post(`/api/user/conversations/${answered}/messages`)
      .send({ message: 'Posso ajudar?' })
      .expect(201);
    const age = (uuids: readonly (string | undefined)[], hours: number) =>
      app.query(
        'UPDATE conversations SET ended_at = now() - make_interval(hours => $2), message_count = 1 WHERE id = ANY ($1)',
        [uuids, hours],
      );
    await age([unused, used, answered], 25);
    await age([fresh], 23);
    await app.query("UPDATE visitor_openings SET hour = hour - interval '1 hour'");
    await app.query('UPDATE visitor_usage SET day = day - 2');
    await app.query("UPDATE alerts SET created_at = now() - interval '91 days'");
    await app.query("INSERT INTO used_challenges VALUES (gen_random_uuid(), now() - interval '1 hour')");

    await app.app.get(VisitorRecordsService).sweep();
    await app.app.get(IdleConversationsService).removeUnused();

    for (const table of ['visitor_openings', 'visitor_usage', 'alerts', 'used_challenges']) {
      expect({ table, rows: await app.query(`SELECT * FROM ${table}`) }).toEqual({ table, rows: [] });
    }
    const left = await app.query<{ id: string }>('SELECT id FROM conversations WHERE assistant_id = $1', [
      assistant.id,
    ]);
    expect(left.map(({ id }) => id).toSorted()).toEqual([fresh, used, answered].toSorted());
  });
});

describe('the daily cap on everything', () => {
  it('stops visitors too, but what they spend does not count against the work of the owner', async () => {
    const app = await TestApp.start({ RATE_LIMITS: 'on', DAILY_SPEND_CAP: '0.02' });
    try {
      const owner = await app.account({ balanceUsd: 1 });
      const assistant = await createAssistant(app, owner);
      const { body } = await app.http.post('/api/conversations').send({ assistant_id: assistant.uuid });
      const send = () =>
        app.http.post(`/api/conversations/${body.conversation_id}/messages`).send({ message: 'Olá' });
      await send().expect(200);
      await send().expect(200);
      await send().expect(400);
      const billing = app.app.get(BillingService);
      const transactions = app.app.get(Transactions, { strict: false });
      const charge = (reference: string) => ({ kind: 'call', amountMicros: 20_000, reference }) as const;
      const afford = await transactions.run((tx) => billing.affordable(owner.userId, 10_000, 3, tx));
      expect(afford.count).toBe(2);
      await transactions.run((tx) => billing.hold(owner.userId, charge('own'), tx));
      await expect(
        transactions.run((tx) => billing.hold(owner.userId, charge('too much'), tx)),
      ).rejects.toMatchObject({ name: 'DailySpendCapError' });
    } finally {
      await app.stop();
    }
  });
});
