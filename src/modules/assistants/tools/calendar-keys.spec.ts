import { describe, expect, it } from '@jest/globals';
import type { SentTool } from './built-in-tool.js';
import { putKeys, takeKeys, unmaskKeys } from './calendar-keys.js';

const KEY = 'cal_live_0123456789';
const calendar = (extcal_api_key: string, more: object = {}): SentTool => ({
  type: 'calendar_integration',
  extcal_event_slug: 'visit',
  ...more,
  extcal_api_key,
});
const keysOf = (tools: readonly SentTool[]) => takeKeys(tools).keys;

describe('takeKeys and putKeys', () => {
  it('take the keys out of the tools and put them back', () => {
    const tools = [calendar(KEY), { type: 'end_call' } as const, calendar('second-key-of-all')];
    const taken = takeKeys(tools);
    expect(taken.keys).toEqual([KEY, 'second-key-of-all']);
    expect(JSON.stringify(taken.tools)).not.toContain('key-of-all');
    expect(putKeys(taken.tools, taken.keys)).toEqual(tools);
  });
});

describe('unmaskKeys', () => {
  it('leaves whole keys as they are sent', () => {
    const { tools, issues } = unmaskKeys([calendar('a-new-whole-key')], [calendar(KEY)]);
    expect([keysOf(tools), issues]).toEqual([['a-new-whole-key'], []]);
  });

  it('prefers, of keys that look the same when masked, that of the same event', () => {
    const stored = [
      calendar('first-key-1-6789'),
      calendar('other-key-2-6789', { extcal_event_slug: 'call' }),
    ];
    const { tools } = unmaskKeys(
      [calendar('••••6789', { extcal_event_slug: 'call' }), calendar('••••6789')],
      stored,
    );
    expect(keysOf(tools)).toEqual(['other-key-2-6789', 'first-key-1-6789']);
  });

  it('takes an endpoint left out for the default one', () => {
    const { tools } = unmaskKeys([calendar('••••6789', { extcal_endpoint: 'us' })], [calendar(KEY)]);
    expect(keysOf(tools)).toEqual([KEY]);
  });

  it.each([
    ['a mask of no stored key', [calendar('••••0000')]],
    ['another region', [calendar('••••6789', { extcal_endpoint: 'eu' })]],
    [
      'another server',
      [calendar('••••6789', { extcal_endpoint: 'custom', extcal_custom_endpoint: 'https://a.example' })],
    ],
  ])('finds no key for %s', (_case, sent) => {
    const { tools, issues } = unmaskKeys(sent, [calendar(KEY)]);
    expect(issues.map(({ field, text }) => [field, text.key])).toEqual([
      ['tools.0.extcal_api_key', 'assistants.masked_key'],
    ]);
    expect(keysOf(tools)).not.toContain(KEY);
  });
});
