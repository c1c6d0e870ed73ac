import { describe, expect, it } from '@jest/globals';
import { functionDatabase, type Values } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);
const minutesUntil = (assistantId: number | null) =>
  database.value('SELECT extract(epoch FROM conversation_idle_at($1) - now())::float8 / 60', assistantId);

describe('conversation_idle_at', () => {
  it.each<{ config: Values; minutes: number }>([
    { config: { conversation_inactivity_timeout: 1 }, minutes: 1 },
    { config: { conversation_inactivity_timeout: 45 }, minutes: 45 },
    { config: { conversation_inactivity_timeout: 0 }, minutes: 0 },
    { config: { conversation_inactivity_timeout: null }, minutes: 30 },
    { config: {}, minutes: 30 },
  ])('is in $minutes minutes with the settings $config', async ({ config, minutes }) => {
    const userId = await build.account();
    await build.assistant(userId, { conversation_inactivity_timeout: 9 });
    expect(await minutesUntil(await build.assistant(userId, config))).toBe(minutes);
  });

  it('is in 30 minutes without an assistant', async () => {
    expect(await minutesUntil(null)).toBe(30);
  });
});
