import { describe, expect, it } from '@jest/globals';
import { functionDatabase } from '../../../support/function-database.js';
import { RowBuilders } from '../../../support/row-builders.js';

const database = functionDatabase();
const build = new RowBuilders(database);

describe('is_webhook_wanted', () => {
  it.each([
    { title: 'all events', subscription: {}, kind: 'call.ended', isWanted: true },
    { title: 'all events', subscription: {}, kind: null, isWanted: true },
    {
      title: 'this event',
      subscription: { events: ['a.b', 'call.ended'] },
      kind: 'call.ended',
      isWanted: true,
    },
    { title: 'another event', subscription: { events: ['a.b'] }, kind: 'call.ended', isWanted: false },
    { title: 'another event', subscription: { events: ['a.b'] }, kind: null, isWanted: true },
    { title: 'no event', subscription: { events: [] }, kind: 'call.ended', isWanted: false },
    { title: 'all events, disabled', subscription: { enabled: false }, kind: 'call.ended', isWanted: false },
    { title: 'all events, disabled', subscription: { enabled: false }, kind: null, isWanted: false },
  ])(
    'with a subscription of $title answers $isWanted for $kind',
    async ({ subscription, kind, isWanted }) => {
      const userId = await build.account();
      await build.subscription(userId, subscription);
      expect(await database.value('SELECT is_webhook_wanted($1, $2)', userId, kind)).toBe(isWanted);
    },
  );

  it.each([
    { kind: 'call.ended', isWanted: true },
    { kind: null, isWanted: true },
    { kind: 'call.started', isWanted: false },
  ])('answers $isWanted for $kind where a plugin listens to call.ended', async ({ kind, isWanted }) => {
    await build.listener('call.ended');
    const userId = await build.account();
    expect(await database.value('SELECT is_webhook_wanted($1, $2)', userId, kind)).toBe(isWanted);
  });

  it('answers false without a subscription, whatever other accounts have', async () => {
    await build.subscription(await build.account());
    const userId = await build.account();
    expect(await database.value('SELECT is_webhook_wanted($1)', userId)).toBe(false);
  });
});
