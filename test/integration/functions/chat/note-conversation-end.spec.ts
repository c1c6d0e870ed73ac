import { beforeEach, describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const HOOK = { conversation_ended_webhook_url: 'https://example.com/' };

describe('note_conversation_end', () => {
  let userId: number;

  beforeEach(async () => {
    userId = await build.account();
  });

  interface Conversation {
    readonly config?: Values;
    readonly values?: Values;
    readonly authors?: readonly string[];
  }

  const add = async ({ config = {}, values = {}, authors = ['customer', 'ai'] }: Conversation) => {
    const id = await build.uuid('conversations', {
      user_id: userId,
      assistant_id: await build.assistant(userId, config),
      message_count: 2,
      ...values,
    });
    let last: number | null = null;
    for (const author of authors) {
      last = await build.id('messages', { user_id: userId, conversation_id: id, author });
    }
    return { id, last };
  };
  const end = (id: string, at = 'now()') =>
    database.rows(`UPDATE conversations SET ended_at = ${at} WHERE id = $1`, id);
  const endings = () =>
    database.rows(
      `SELECT conversation_id, occurrence, user_id, ended_at = now() AS ends_now, last_message_id, is_evaluated
       FROM conversation_endings ORDER BY occurrence`,
    );

  it('notes the end with the last message', async () => {
    const other = await add({});
    const { id, last } = await add({});
    await add({});
    await end(id);
    expect(other.last).not.toBe(last);
    expect(await endings()).toEqual([
      {
        conversation_id: id,
        occurrence: 2,
        user_id: userId,
        ends_now: true,
        last_message_id: last,
        is_evaluated: true,
      },
    ]);
  });

  it.each<Conversation & { title: string; noted: boolean | null }>([
    { title: 'of the widget with a message of the customer', noted: true },
    { title: 'whose assistant evaluates', config: { post_call_evaluation: true }, noted: true },
    { title: 'whose assistant does not evaluate', config: { post_call_evaluation: false }, noted: null },
    { title: 'of the API', values: { type: 'api' }, noted: null },
    { title: 'without a message of the customer', authors: ['ai'], noted: null },
    { title: 'without a message', authors: [], noted: null },
    { title: 'of the API with a webhook', config: HOOK, values: { type: 'api' }, noted: false },
    { title: 'without a message, with a webhook', config: HOOK, authors: [], noted: false },
    {
      title: 'with a webhook, whose assistant does not evaluate',
      config: { ...HOOK, post_call_evaluation: false },
      noted: false,
    },
    { title: 'with a webhook and a message of the customer', config: HOOK, noted: true },
    {
      title: 'with a webhook that is null, of the API',
      config: { conversation_ended_webhook_url: null },
      values: { type: 'api' },
      noted: null,
    },
  ])('notes of a conversation $title whether it is evaluated: $noted', async ({ noted, ...conversation }) => {
    await add({});
    const { id } = await add(conversation);
    await end(id);
    expect(await endings()).toMatchObject(
      noted === null ? [] : [{ conversation_id: id, is_evaluated: noted }],
    );
  });

  it('notes nothing without an assistant', async () => {
    const { id } = await add({ values: { assistant_id: null } });
    await end(id);
    expect(await endings()).toEqual([]);
  });

  it('notes an end once for a number of messages, and again when there were more messages', async () => {
    const { id } = await add({});
    await end(id);
    await end(id, 'NULL');
    await end(id);
    expect(await endings()).toHaveLength(1);
    await end(id, 'NULL');
    await database.rows('UPDATE conversations SET message_count = 3 WHERE id = $1', id);
    await end(id);
    expect(await endings()).toMatchObject([{ occurrence: 2 }, { occurrence: 3 }]);
  });

  it('notes nothing when an ended conversation changes, or is opened again', async () => {
    const { id } = await add({ values: { ended_at: sql('now()') } });
    await end(id, "now() + interval '1 second'");
    await end(id, 'NULL');
    await database.rows('UPDATE conversations SET message_count = 9 WHERE id = $1', id);
    expect(await endings()).toEqual([]);
  });
});
