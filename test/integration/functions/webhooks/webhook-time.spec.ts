import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();

describe('webhook_time', () => {
  it.each([
    { at: '2026-03-10 09:08:07.123-03', time: '2026-03-10T12:08:07.123Z' },
    { at: '2026-12-31 23:59:59.9994Z', time: '2026-12-31T23:59:59.999Z' },
    { at: '2027-01-01 00:00:00Z', time: '2027-01-01T00:00:00.000Z' },
  ])('writes $at as $time', async ({ at, time }) => {
    expect(await database.value('SELECT webhook_time($1)', at)).toBe(time);
  });

  it('of null is null', async () => {
    expect(await database.value('SELECT webhook_time(NULL)')).toBeNull();
  });
});
