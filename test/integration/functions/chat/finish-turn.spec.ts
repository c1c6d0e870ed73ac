import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const MINE = randomUUID();

interface Answer {
  readonly token?: string;
  readonly holdId?: string | null;
  readonly content?: string;
  readonly ends?: boolean;
  readonly tokens?: readonly (number | null)[];
}

describe('finish_turn', () => {
  let userId: number;
  let conversationId: string;
  let messageId: number;
  let otherId: string;

  beforeEach(async () => {
    userId = await build.account({ balance_micros: 1_000, held_micros: 50 });
    const assistantId = await build.assistant(userId, { conversation_inactivity_timeout: 5 });
    const conversation = {
      user_id: userId,
      assistant_id: assistantId,
      turn_token: MINE,
      turn_expires_at: sql('now()'),
      message_count: 3,
      total_cost_micros: 7,
    };
    conversationId = await build.uuid('conversations', conversation);
    otherId = await build.uuid('conversations', { ...conversation, turn_token: randomUUID() });
    messageId = await build.id('messages', { user_id: userId, conversation_id: conversationId });
  });

  const finish = (answer: Answer = {}) => {
    const parameters = [
      conversationId,
      answer.token ?? MINE,
      messageId,
      answer.holdId ?? null,
      answer.content ?? 'Olá!',
      JSON.stringify([{ name: 'get_weather' }]),
      answer.ends ?? false,
      ...(answer.tokens ?? [null, null, null]),
    ];
    const places = parameters.map((_, at) => `$${at + 1}`).join(', ');
    return database.value<number | null>(`SELECT finish_turn(${places})`, ...parameters);
  };
  const read = (id = conversationId) =>
    database.row(
      `SELECT turn_token, turn_expires_at IS NULL AS free, message_count, total_cost_micros AS cost, updated_at = now() AS updated,
         last_message, last_author, last_message_at = now()::timestamptz(3) AS last_now,
         extract(epoch FROM idle_at - now())::float8 / 60 AS idle,
         extract(epoch FROM ended_at - now())::float8 AS ended,
         input_tokens AS input, cached_input_tokens AS cached, output_tokens AS output
       FROM conversations WHERE id = $1`,
      id,
    );
  const addHold = (values: Values = {}) => build.uuid('holds', { user_id: userId, ...values });
  const costs = () => database.rows('SELECT id, cost_micros AS cost FROM messages ORDER BY id');

  it('stores the answer and gives the lease back', async () => {
    const before = await read(otherId);
    const id = await finish();
    expect(
      await database.row(
        'SELECT conversation_id, user_id, role, author, content, function_calls, turn_token, cost_micros FROM messages WHERE id = $1',
        id,
      ),
    ).toEqual({
      conversation_id: conversationId,
      user_id: userId,
      role: 'assistant',
      author: 'ai',
      content: 'Olá!',
      function_calls: [{ name: 'get_weather' }],
      turn_token: MINE,
      cost_micros: 0,
    });
    expect(await read()).toEqual({
      turn_token: null,
      free: true,
      message_count: 4,
      cost: 7,
      updated: true,
      last_message: 'Olá!',
      last_author: 'ai',
      last_now: true,
      idle: 5,
      ended: null,
      input: null,
      cached: null,
      output: null,
    });
    expect(await read(otherId)).toEqual(before);
    expect(await database.value('SELECT current_setting($1)', 'synchronous_commit')).toBe('off');
  });

  it('lets later transactions of its connection wait for the disk', async () => {
    // A function with a setting of its own takes back what was set for the transaction alone.
    await database.rows('ALTER FUNCTION finish_turn SET synchronous_commit = on');
    await finish();
    expect(await database.value('SELECT current_setting($1)', 'synchronous_commit')).toBe('on');
  });

  it('stores nothing when another turn has the lease', async () => {
    const before = await read();
    const holdId = await addHold();
    expect(await finish({ token: randomUUID(), holdId })).toBeNull();
    expect(await read()).toEqual(before);
    expect(await costs()).toHaveLength(1);
    expect(await database.value('SELECT state FROM holds WHERE id = $1', holdId)).toBe('held');
  });

  it('charges the hold to the message of the customer', async () => {
    const bystander = await build.id('messages', { user_id: userId, conversation_id: conversationId });
    const holdId = await addHold();
    const answer = await finish({ holdId });
    expect(await costs()).toEqual([
      { id: messageId, cost: 50 },
      { id: bystander, cost: 0 },
      { id: answer, cost: 0 },
    ]);
    expect(await read()).toMatchObject({ cost: 57 });
    expect(await database.value('SELECT state FROM holds WHERE id = $1', holdId)).toBe('captured');
  });

  it.each(['captured', 'voided'])('stores nothing when its hold is %s', async (state) => {
    const before = await read();
    expect(await finish({ holdId: await addHold({ state }) })).toBeNull();
    expect(await read()).toEqual(before);
    expect(await costs()).toEqual([{ id: messageId, cost: 0 }]);
  });

  it('locks the conversation before it charges, and no other conversation', async () => {
    const leased = { user_id: userId, turn_token: MINE };
    const [unpaid, other] = [
      await build.uuid('conversations', leased),
      await build.uuid('conversations', leased),
    ];
    const holdId = await addHold({ state: 'voided' });
    const sent = [unpaid, MINE, holdId];
    expect(
      await database.value("SELECT finish_turn($1, $2, 0, $3, '', '[]', false, 1, 1, 1)", ...sent),
    ).toBeNull();
    expect(await database.isLocked('conversations', 'id = $1', unpaid)).toBe(true);
    expect(await database.isLocked('conversations', 'id = $1', other)).toBe(false);
  });

  it.each([199, 200, 201])(
    'keeps of an answer of %i characters the first 200 in the list',
    async (length) => {
      await finish({ content: 'x'.repeat(length) });
      expect((await read()).last_message).toBe('x'.repeat(Math.min(length, 200)));
    },
  );

  it.each([
    { ends: true, before: 'NULL', after: 0 },
    { ends: false, before: 'NULL', after: null },
    { ends: false, before: "now() - interval '9 seconds'", after: -9 },
  ])(
    'of a conversation that ended at $before leaves $after, when the answer ends it: $ends',
    async ({ ends, before, after }) => {
      await database.rows(`UPDATE conversations SET ended_at = ${before} WHERE id = $1`, conversationId);
      await finish({ ends });
      expect((await read()).ended).toBe(after);
    },
  );
});

describe('finish_turn', () => {
  it.each([
    { before: [null, null, null], added: [null, null, null], after: [null, null, null] },
    { before: [null, null, null], added: [1, 2, 3], after: [1, 2, 3] },
    { before: [null, null, null], added: [0, 0, 0], after: [0, 0, 0] },
    { before: [10, 20, 30], added: [1, 2, 3], after: [11, 22, 33] },
    { before: [10, 20, 30], added: [null, null, null], after: [10, 20, 30] },
    { before: [10, 20, 30], added: [null, 2, null], after: [10, 22, 30] },
  ])('adds the tokens $added to $before', async ({ before, added, after }) => {
    const userId = await build.account();
    const id = await build.uuid('conversations', {
      user_id: userId,
      turn_token: MINE,
      input_tokens: before[0],
      cached_input_tokens: before[1],
      output_tokens: before[2],
    });
    await database.rows(
      "SELECT finish_turn($1, $2, 0, NULL, 'Olá!', '[]', false, $3, $4, $5)",
      id,
      MINE,
      ...added,
    );
    const row = await database.row(
      'SELECT input_tokens, cached_input_tokens, output_tokens FROM conversations WHERE id = $1',
      id,
    );
    expect(Object.values(row)).toEqual(after);
  });
});
