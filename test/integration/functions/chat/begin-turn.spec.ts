import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const MINE = randomUUID();
const ANOTHER = randomUUID();
const LEASE_SECONDS = 15;

interface Turn {
  readonly conversationId?: string;
  readonly content?: string;
  readonly reactivates?: boolean;
  readonly historyLimit?: number;
  readonly holdId?: string | null;
  readonly amount?: number;
  readonly messageId?: number | null;
  readonly version?: string | null;
}

interface Begun {
  readonly outcome: string;
  readonly messageId?: number;
  readonly holdId?: string | null;
  readonly variables?: Values;
  readonly history?: readonly Values[];
  readonly handoff?: Values | null;
}

describe('begin_turn', () => {
  let userId: number;
  let assistantId: number;
  let conversationId: string;
  let version: string | null;

  beforeEach(async () => {
    userId = await build.account({ balance_micros: 100 });
    assistantId = await build.assistant(userId, { conversation_inactivity_timeout: 5 });
    conversationId = await addConversation();
    version = await database.value('SELECT assistant_version($1, $2)', userId, assistantId);
  });

  const addConversation = (values: Values = {}) =>
    build.uuid('conversations', { user_id: userId, assistant_id: assistantId, ...values });
  const begin = (turn: Turn = {}) => {
    const parameters = [
      turn.conversationId ?? conversationId,
      MINE,
      LEASE_SECONDS,
      turn.content ?? 'Bom dia',
      turn.reactivates ?? false,
      turn.historyLimit ?? 10,
      turn.holdId ?? null,
      { id: turn.holdId ?? null, kind: 'message', amount: turn.amount ?? 60, totalCap: null },
      turn.messageId ?? null,
    ];
    parameters.push(turn.version === undefined ? version : turn.version);
    const places = parameters.map((_, at) => `$${at + 1}`).join(', ');
    return database.value<Begun>(`SELECT begin_turn(${places})`, ...parameters);
  };
  const update = (set: string) =>
    database.rows(`UPDATE conversations SET ${set} WHERE id = $1`, conversationId);
  const read = (id = conversationId) =>
    database.row(
      `SELECT turn_token, extract(epoch FROM turn_expires_at - now())::float8 AS leased, ended_at IS NOT NULL AS ended,
         message_count, total_cost_micros AS cost, last_message, last_author, last_message_at = now()::timestamptz(3) AS last_now,
         unread_count AS unread, extract(epoch FROM waiting_since - now())::float8 AS waiting,
         extract(epoch FROM idle_at - now())::float8 / 60 AS idle, updated_at = now() AS updated
       FROM conversations WHERE id = $1`,
      id,
    );
  const addMessage = (values: Values = {}) =>
    build.id('messages', { user_id: userId, conversation_id: conversationId, ...values });
  const messages = () =>
    database.rows('SELECT user_id, role, author, content, cost_micros AS cost FROM messages ORDER BY id');
  const addHold = (messageId: number, values: Values = {}) =>
    build.uuid('holds', { user_id: userId, reference: `message:${messageId}`, ...values });
  const isConfirmed = async () =>
    (await database.value('SELECT current_setting($1)', 'synchronous_commit')) !== 'off';

  it('stores the message, takes the lease and returns what the turn needs', async () => {
    const other = await addConversation();
    const before = await read(other);
    const begun = await begin();
    expect(begun).toEqual({
      outcome: 'begun',
      messageId: expect.any(Number),
      holdId: null,
      variables: {},
      history: [],
      handoff: null,
    });
    expect(await read()).toEqual({
      turn_token: MINE,
      leased: LEASE_SECONDS,
      ended: false,
      message_count: 1,
      cost: 0,
      last_message: 'Bom dia',
      last_author: 'customer',
      last_now: true,
      unread: 1,
      waiting: null,
      idle: 5,
      updated: true,
    });
    expect(await database.rows('SELECT id, user_id, role, author, content FROM messages')).toEqual([
      { id: begun.messageId, user_id: userId, role: 'user', author: 'customer', content: 'Bom dia' },
    ]);
    expect(await read(other)).toEqual(before);
    expect(await isConfirmed()).toBe(false);
  });

  it('lets later transactions of its connection wait for the disk', async () => {
    // A function with a setting of its own takes back what was set for the transaction alone.
    await database.rows('ALTER FUNCTION begin_turn SET synchronous_commit = on');
    await begin();
    expect(await isConfirmed()).toBe(true);
  });

  it('is missing for a conversation that does not exist', async () => {
    expect(await begin({ conversationId: randomUUID() })).toEqual({ outcome: 'missing' });
  });

  it.each([
    {
      set: `turn_token = '${ANOTHER}', turn_expires_at = now() - interval '1 millisecond'`,
      outcome: 'begun',
    },
    { set: `turn_token = '${ANOTHER}', turn_expires_at = now()`, outcome: 'busy' },
    { set: `turn_token = '${ANOTHER}', turn_expires_at = now() + interval '1 millisecond'`, outcome: 'busy' },
    { set: `turn_token = NULL, turn_expires_at = now() + interval '1 second'`, outcome: 'begun' },
  ])('is $outcome with $set', async ({ set, outcome }) => {
    await update(set);
    expect((await begin()).outcome).toBe(outcome);
    expect(await messages()).toHaveLength(outcome === 'busy' ? 0 : 1);
  });

  it('locks the conversation before it looks at the lease, and no other conversation', async () => {
    const leased = { turn_token: ANOTHER, turn_expires_at: sql('now()') };
    const [busy, other] = [await addConversation(leased), await addConversation(leased)];
    expect(await begin({ conversationId: busy })).toEqual({ outcome: 'busy' });
    expect(await database.isLocked('conversations', 'id = $1', busy)).toBe(true);
    expect(await database.isLocked('conversations', 'id = $1', other)).toBe(false);
  });

  it.each([
    { ended: 'NULL', reactivates: false, outcome: 'begun' },
    { ended: 'now()', reactivates: false, outcome: 'ended' },
    { ended: 'now()', reactivates: true, outcome: 'begun' },
  ])(
    'is $outcome when ended_at is $ended and it reactivates $reactivates',
    async ({ ended, reactivates, outcome }) => {
      await update(`ended_at = ${ended}`);
      expect((await begin({ reactivates })).outcome).toBe(outcome);
      expect(await read()).toMatchObject({
        ended: outcome === 'ended',
        message_count: outcome === 'ended' ? 0 : 1,
      });
    },
  );

  it.each([199, 200, 201])(
    'keeps of a message of %i characters the first 200 in the list',
    async (length) => {
      await begin({ content: 'x'.repeat(length) });
      expect((await read()).last_message).toBe('x'.repeat(Math.min(length, 200)));
      expect(await messages()).toMatchObject([{ content: 'x'.repeat(length) }]);
    },
  );

  it.each([
    { type: 'widget', unread: 4 },
    { type: 'api', unread: 3 },
  ])(
    'has $unread unread messages after 3 when the conversation is of the $type',
    async ({ type, unread }) => {
      await update(`type = '${type}', unread_count = 3`);
      await begin();
      expect(await read()).toMatchObject({ unread });
    },
  );

  it('returns the variables and the messages before its own, as many as are asked for', async () => {
    await update(`variables = '{"nome": "Ana"}'`);
    await addMessage({ content: 'a' });
    const id = await addMessage({ content: 'b', role: 'assistant', author: 'ai' });
    const last = await addMessage({ content: 'c' });
    const begun = await begin({ historyLimit: 2 });
    expect(begun.variables).toEqual({ nome: 'Ana' });
    expect(begun.history).toEqual([
      { id, role: 'assistant', content: 'b' },
      { id: last, role: 'user', content: 'c' },
    ]);
  });

  it('returns the history of its conversation alone', async () => {
    const other = await addConversation();
    await addMessage({ conversation_id: other });
    expect((await begin()).history).toEqual([]);
  });

  describe('resumed with the message of an earlier run', () => {
    it('stores no message again, and returns the messages before it', async () => {
      await addMessage({ content: 'a' });
      const id = await addMessage({ content: 'b' });
      await addMessage({ content: 'c' });
      await update("message_count = 3, last_message = 'c', last_author = 'customer', unread_count = 3");
      const begun = await begin({ messageId: id });
      expect(begun).toMatchObject({ outcome: 'begun', messageId: id });
      expect(begun.history).toMatchObject([{ content: 'a' }]);
      expect(begun.history).toHaveLength(1);
      expect(await messages()).toHaveLength(3);
      expect(await read()).toMatchObject({
        message_count: 3,
        last_message: 'c',
        unread: 3,
        turn_token: MINE,
      });
    });

    it('begins in a conversation that has ended, and leaves it ended', async () => {
      await update('ended_at = now()');
      expect(await begin({ messageId: await addMessage() })).toMatchObject({ outcome: 'begun' });
      expect(await read()).toMatchObject({ ended: true });
    });

    it('goes on with the hold of the earlier run', async () => {
      const id = await addMessage();
      const earlier = await addHold(id);
      expect(await begin({ messageId: id, holdId: randomUUID() })).toMatchObject({ holdId: earlier });
      expect(await database.rows('SELECT id FROM holds')).toEqual([{ id: earlier }]);
    });

    it('holds anew when the hold of the earlier run was voided', async () => {
      const id = await addMessage();
      await addHold(id, { state: 'voided' });
      const holdId = randomUUID();
      expect(await begin({ messageId: id, holdId })).toMatchObject({ holdId });
      expect(await database.row("SELECT id, reference FROM holds WHERE state = 'held'")).toEqual({
        id: holdId,
        reference: `message:${id}`,
      });
    });

    it('does not hold without a hold to make', async () => {
      const id = await addMessage();
      await addHold(id);
      expect(await begin({ messageId: id })).toMatchObject({ holdId: null });
    });
  });

  describe('with a price', () => {
    it.each([
      { amount: 100, outcome: 'begun' },
      { amount: 101, outcome: 'refused' },
    ])('is $outcome when it holds $amount of 100', async ({ amount, outcome }) => {
      const holdId = randomUUID();
      const begun = await begin({ holdId, amount });
      expect(begun).toMatchObject({ outcome, ...(outcome === 'begun' ? { holdId } : {}) });
      expect(await database.rows('SELECT id, reference, amount_micros FROM holds')).toEqual(
        outcome === 'begun'
          ? [{ id: holdId, reference: `message:${begun.messageId}`, amount_micros: 100 }]
          : [],
      );
      expect(await messages()).toHaveLength(outcome === 'begun' ? 1 : 0);
      expect((await read()).turn_token).toBe(outcome === 'begun' ? MINE : null);
    });
  });

  describe('in a conversation without the AI', () => {
    beforeEach(() => update('ai_enabled = false'));

    it('stores the message for a person, who is waited for', async () => {
      await update(
        `ended_at = now(), turn_token = '${ANOTHER}', turn_expires_at = now() - interval '1 second'`,
      );
      const stored = await begin({ reactivates: true });
      expect(stored).toEqual({ outcome: 'stored', messageId: expect.any(Number) });
      expect(await read()).toEqual({
        turn_token: null,
        leased: null,
        ended: false,
        message_count: 1,
        cost: 0,
        last_message: 'Bom dia',
        last_author: 'customer',
        last_now: true,
        unread: 1,
        waiting: 0,
        idle: 5,
        updated: true,
      });
      expect(await isConfirmed()).toBe(true);
    });

    it('leaves the time since which the customer waits', async () => {
      await update("waiting_since = now() - interval '9 seconds'");
      await begin();
      expect(await read()).toMatchObject({ waiting: -9 });
    });

    it('charges the message at once', async () => {
      await update('total_cost_micros = 5');
      await addMessage({ content: 'before' });
      const other = await addConversation();
      await begin({ holdId: randomUUID() });
      expect(await read()).toMatchObject({ cost: 65 });
      expect(await read(other)).toMatchObject({ cost: 0, message_count: 0 });
      expect(await messages()).toMatchObject([
        { content: 'before', cost: 0 },
        { content: 'Bom dia', cost: 60 },
      ]);
      expect(await database.value('SELECT state FROM holds')).toBe('captured');
    });

    it('counts the message of an earlier run once', async () => {
      await update('message_count = 1');
      const id = await addMessage();
      expect(await begin({ messageId: id })).toEqual({ outcome: 'stored', messageId: id });
      expect(await read()).toMatchObject({ message_count: 1, cost: 0 });
      expect(await messages()).toMatchObject([{ cost: 0 }]);
    });
  });
});

describe('begin_turn', () => {
  let userId: number;
  let assistantId: number;

  beforeEach(async () => {
    userId = await build.account();
    assistantId = await build.assistant(userId, {}, { revision: 7 });
  });

  const begin = async (version: string | null, values: Values = {}) => {
    const id = await build.uuid('conversations', { user_id: userId, assistant_id: assistantId, ...values });
    const sent = [id, MINE, LEASE_SECONDS, version];
    return database.value<Begun>(
      "SELECT begin_turn($1, $2, $3, 'Oi', true, 9, NULL, NULL, NULL, $4)",
      ...sent,
    );
  };

  it.each([
    { version: '7', outcome: 'begun' },
    { version: '6', outcome: 'outdated' },
    { version: '8', outcome: 'outdated' },
    { version: null, outcome: 'outdated' },
  ])(
    'is $outcome when the turn was made with version $version of revision 7',
    async ({ version, outcome }) => {
      expect(await begin(version)).toMatchObject({ outcome });
    },
  );

  it('begins without a version when the assistant was deleted', async () => {
    expect(await begin(null, { assistant_id: null })).toMatchObject({ outcome: 'begun' });
    expect(await begin('7', { assistant_id: null })).toMatchObject({ outcome: 'outdated' });
  });

  it('is busy rather than outdated, and outdated rather than ended', async () => {
    const leased = { turn_token: ANOTHER, turn_expires_at: sql('now()') };
    expect(await begin('6', leased)).toMatchObject({ outcome: 'busy' });
    expect(await begin('6', { ended_at: sql('now()') })).toMatchObject({ outcome: 'outdated' });
  });

  it.each([
    { handoffs: 0, handoff: null },
    { handoffs: 1, handoff: { speakerId: 5, count: 1 } },
    { handoffs: 2, handoff: { speakerId: 5, count: 2 } },
  ])('names the assistant that speaks after $handoffs handoffs', async ({ handoffs, handoff }) => {
    const begun = await begin('7', { speaker_id: 5, handoffs });
    expect(begun.handoff).toEqual(handoff);
  });
});
