import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';

const database = functionDatabase();
const timeIn = (zone: string) =>
  database.value("SELECT time_in_zone('2026-03-10 12:00:00Z', $1)::text", zone);

describe('time_in_zone', () => {
  it.each([
    { zone: 'America/Sao_Paulo', time: '2026-03-10 09:00:00' },
    { zone: 'Asia/Kolkata', time: '2026-03-10 17:30:00' },
    { zone: 'UTC', time: '2026-03-10 12:00:00' },
    { zone: 'utc', time: '2026-03-10 12:00:00' },
    { zone: 'GMT', time: '2026-03-10 12:00:00' },
    { zone: 'Etc/GMT+3', time: '2026-03-10 09:00:00' },
    // Neither two nor four letters are an abbreviation.
    { zone: 'Cuba', time: '2026-03-10 08:00:00' },
  ])('of $zone is $time', async ({ zone, time }) => {
    expect(await timeIn(zone)).toBe(time);
  });

  it.each(['+03', '-03:00', '+0', 'BRT', 'est', 'EST', 'Nowhere/Land', ''])(
    "is null for '%s', which is no zone that a campaign may have",
    async (zone) => {
      expect(await timeIn(zone)).toBeNull();
    },
  );
});
