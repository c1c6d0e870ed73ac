import { describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

const addCall = async (values: Values): Promise<{ id: number; userId: number }> => {
  const userId = await build.account();
  return { id: await build.id('calls', { user_id: userId, ...values }), userId };
};
const wordsOf = (id: number) =>
  database.rows<{ words: string[]; created_at: Date }>(
    'SELECT tsvector_to_array(words) AS words, created_at FROM call_words WHERE call_id = $1',
    id,
  );
const rowIdOf = (id: number) => database.value('SELECT ctid::text FROM call_words WHERE call_id = $1', id);

describe('index_call_words', () => {
  it('keeps the ends of the number of a new call, and when the call was made', async () => {
    const at = '2026-03-10T12:00:00.000Z';
    const { id, userId } = await addCall({ client_phone_number: '+551198', created_at: at });
    expect(await wordsOf(id)).toEqual([
      { words: [`${userId} #1198`, `${userId} #51198`, `${userId} #551198`], created_at: new Date(at) },
    ]);
  });

  it('keeps the words of a new call that has a transcript and no number', async () => {
    const { id, userId } = await addCall({ client_phone_number: null, type: 'web', transcript: 'Olá' });
    expect(await wordsOf(id)).toMatchObject([{ words: [`${userId} ola`] }]);
  });

  it('keeps nothing of a call without number and transcript', async () => {
    const { id } = await addCall({ client_phone_number: null, type: 'web' });
    expect(await wordsOf(id)).toEqual([]);
  });

  it('follows the transcript, the number and the moment', async () => {
    const { id, userId } = await addCall({ client_phone_number: null, type: 'web' });
    await database.rows("UPDATE calls SET transcript = 'Olá' WHERE id = $1", id);
    expect(await wordsOf(id)).toMatchObject([{ words: [`${userId} ola`] }]);
    await database.rows(
      "UPDATE calls SET transcript = 'Bom dia', client_phone_number = '1234' WHERE id = $1",
      id,
    );
    expect(await wordsOf(id)).toMatchObject([
      { words: [`${userId} #1234`, `${userId} bom`, `${userId} dia`] },
    ]);
    await database.rows("UPDATE calls SET created_at = '2026-01-02 03:04:05Z' WHERE id = $1", id);
    expect(await wordsOf(id)).toMatchObject([{ created_at: new Date('2026-01-02T03:04:05.000Z') }]);
  });

  it('does not write for other changes', async () => {
    const { id } = await addCall({ transcript: 'Olá' });
    const before = await rowIdOf(id);
    await database.rows("UPDATE calls SET status = 'completed', transcript = transcript WHERE id = $1", id);
    expect(await rowIdOf(id)).toBe(before);
  });

  it('removes the words of an emptied call, and of a deleted one', async () => {
    const [emptied, deleted] = [await addCall({ transcript: 'Olá' }), await addCall({ transcript: 'Olá' })];
    await database.rows(
      "UPDATE calls SET client_phone_number = NULL, transcript = '', erased_at = now() WHERE id = $1",
      emptied.id,
    );
    await database.rows('DELETE FROM calls WHERE id = $1', deleted.id);
    expect(await wordsOf(emptied.id)).toEqual([]);
    expect(await wordsOf(deleted.id)).toEqual([]);
  });

  it('stores many words apart from the rows that a search reads', async () => {
    const size = () => database.value<number>("SELECT pg_relation_size('call_words')::integer");
    const before = await size();
    await database.rows(
      `INSERT INTO calls (user_id, assistant_name, type, client_phone_number, transcript)
       SELECT $1, '', 'outbound', '+5511987654321', (SELECT string_agg(md5(call || ' ' || word), ' ') FROM generate_series(1, 200) word)
       FROM generate_series(1, 200) call`,
      await build.account(),
    );
    expect((await size()) - before).toBeLessThan(200 * 200);
  });

  it('indexes calls that are written before the rest of them', async () => {
    const { id } = await addCall({ transcript: 'Olá', created_at: sql("now() - interval '1 year'") });
    await database.rows('DELETE FROM call_words WHERE call_id = $1', id);
    await database.rows("UPDATE calls SET transcript = 'Adeus' WHERE id = $1", id);
    expect(await wordsOf(id)).toHaveLength(1);
  });
});
