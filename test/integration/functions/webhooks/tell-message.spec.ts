import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const KIND = 'conversation.message-created';

describe('tell_message', () => {
  let userId: number;
  let assistantId: number;
  let conversationId: string;

  beforeEach(async () => {
    userId = await build.account();
    assistantId = await build.assistant(userId);
    conversationId = await build.uuid('conversations', { user_id: userId, assistant_id: assistantId });
    await build.uuid('conversations', { user_id: userId, type: 'api' });
  });

  const addMessage = (values: Values = {}) =>
    build.id('messages', {
      user_id: userId,
      conversation_id: conversationId,
      created_at: sql("'2026-03-10 12:00:00Z'"),
      ...values,
    });
  const events = () =>
    database.rows(
      `SELECT kind, subject_id AS subject, occurrence, body::json->'data' AS data FROM webhook_deliveries ORDER BY id`,
    );
  const dataOf = (id: number) => ({
    conversation_id: conversationId,
    conversation_type: 'widget',
    assistant_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    message_id: id,
    role: 'user',
    author: 'customer',
    content: 'Olá',
    function_calls: [],
    created_at: '2026-03-10T12:00:00.000Z',
  });

  it('tells of a message with all its fields', async () => {
    await build.subscription(userId, { events: [KIND] });
    const id = await addMessage();
    expect(await events()).toEqual([
      { kind: KIND, subject: conversationId, occurrence: id, data: dataOf(id) },
    ]);
    expect(await events()).toMatchObject([
      {
        data: {
          assistant_id: await database.value('SELECT uuid FROM assistants WHERE id = $1', assistantId),
        },
      },
    ]);
  });

  it('tells of the function calls', async () => {
    await build.subscription(userId);
    const id = await addMessage({ function_calls: JSON.stringify([{ name: 'get_weather' }]) });
    expect(await events()).toMatchObject([
      { data: { ...dataOf(id), function_calls: [{ name: 'get_weather' }] } },
    ]);
  });

  it('tells of a message whose assistant was deleted', async () => {
    await build.subscription(userId);
    await database.rows('UPDATE conversations SET assistant_id = NULL WHERE id = $1', conversationId);
    const id = await addMessage();
    expect(await events()).toMatchObject([{ data: { ...dataOf(id), assistant_id: null } }]);
  });

  it.each([
    { id: 2_147_483_647, occurrence: 2_147_483_647 },
    { id: 2_147_483_648, occurrence: 0 },
    { id: 2_147_483_649, occurrence: 1 },
  ])('numbers the event of message $id $occurrence, which an integer holds', async ({ id, occurrence }) => {
    await build.subscription(userId);
    await addMessage({ id });
    expect(await events()).toMatchObject([{ occurrence }]);
  });

  it('tells nothing when another event is wanted', async () => {
    await build.subscription(userId, { events: ['call.ended'] });
    await addMessage();
    expect(await events()).toEqual([]);
  });

  it('computes nothing when no webhook is wanted', async () => {
    await database.rows('ALTER FUNCTION webhook_time RENAME TO webhook_time_away');
    await addMessage();
    expect(await events()).toEqual([]);
  });
});
