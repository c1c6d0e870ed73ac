import { describe, expect, it } from '@jest/globals';
import { functionDatabase, sql, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const HOUR_AGO = sql("now() - interval '1 hour'");

describe('resume_hold', () => {
  const addHold = (userId: number, values: Values = {}) =>
    build.uuid('holds', { user_id: userId, reference: 'message:7', created_at: HOUR_AGO, ...values });
  const resume = (userId: number) => database.value('SELECT resume_hold($1, $2)', userId, 'message:7');
  const read = (id: string) =>
    database.row('SELECT reference, created_at = now() AS fresh FROM holds WHERE id = $1', id);

  it('returns the hold of the reference that is held, as if it were made now', async () => {
    const userId = await build.account();
    const id = await addHold(userId);
    expect(await resume(userId)).toBe(id);
    expect(await read(id)).toEqual({ reference: 'message:7', fresh: true });
  });

  it.each([
    { made: 'at midnight UTC', seconds: 0, isKept: true },
    { made: 'before midnight UTC', seconds: -1, isKept: false },
  ])('keeps the visitor of a hold that was made $made: $isKept', async ({ seconds, isKept }) => {
    const userId = await build.account();
    const visitorOf = await build.assistant(userId);
    const id = await addHold(userId, {
      visitor_of: visitorOf,
      created_at: sql(`date_trunc('day', now(), 'UTC') + interval '${seconds} seconds'`),
    });
    expect(await resume(userId)).toBe(id);
    const kept = await database.value('SELECT visitor_of FROM holds WHERE id = $1', id);
    expect(kept).toBe(isKept ? visitorOf : null);
  });

  it('frees the reference of a voided hold, so that a new hold can have it', async () => {
    const userId = await build.account();
    const id = await addHold(userId, { state: 'voided' });
    expect(await resume(userId)).toBeNull();
    expect(await read(id)).toEqual({ reference: `message:7:${id}`, fresh: false });
  });

  it('leaves a captured hold as it is', async () => {
    const userId = await build.account();
    const id = await addHold(userId, { state: 'captured' });
    expect(await resume(userId)).toBeNull();
    expect(await read(id)).toEqual({ reference: 'message:7', fresh: false });
  });

  it.each(['held', 'voided'])(
    'leaves holds that are %s of other accounts and of other references as they are',
    async (state) => {
      const userId = await build.account();
      const foreign = await addHold(await build.account(), { state });
      const other = await addHold(userId, { state, reference: 'message:8' });
      expect(await resume(userId)).toBeNull();
      expect(await read(foreign)).toEqual({ reference: 'message:7', fresh: false });
      expect(await read(other)).toEqual({ reference: 'message:8', fresh: false });
    },
  );
});
