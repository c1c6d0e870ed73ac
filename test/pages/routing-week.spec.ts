import { describe, expect, it } from '@jest/globals';
import type { NumberRoutingResponse } from '#client/types.gen.js';
import {
  changesOf,
  type RoutingValues,
  schemaOf,
  valuesOf,
} from '../../web/console/src/pages/numbers/routing/values.js';
import {
  copyHours,
  dayAfter,
  endOf,
  endOfClock,
  errorsAtRows,
  rowsOf,
  weeklyOf,
} from '../../web/console/src/pages/numbers/routing/week.js';
import { findIssues } from '../../web/console/src/forms/rules.js';

type Weekly = NonNullable<NumberRoutingResponse['hours']>['weekly'];

/** Several days an entry, a night, the whole day, and an order of its own. */
const STORED: Weekly = [
  { days: ['saturday'], from: '22:00', to: '02:00' },
  { days: ['tuesday', 'monday'], from: '14:00', to: '18:00' },
  { days: ['monday', 'tuesday'], from: '09:00', to: '12:00' },
  { days: ['sunday'], from: '00:00', to: '24:00' },
];
const ROWS = [
  { day: 'monday', from: '09:00', to: '12:00' },
  { day: 'monday', from: '14:00', to: '18:00' },
  { day: 'tuesday', from: '09:00', to: '12:00' },
  { day: 'tuesday', from: '14:00', to: '18:00' },
  { day: 'saturday', from: '22:00', to: '02:00' },
  { day: 'sunday', from: '00:00', to: '24:00' },
] as const;

describe('the week grid', () => {
  it('has a row for each day of each entry, by day and start', () => {
    expect(rowsOf(STORED)).toEqual(ROWS);
  });

  it('sends back what it was given, if nothing has changed', () => {
    expect(weeklyOf(rowsOf(STORED), STORED)).toEqual(STORED);
  });

  it('joins days with the same hours, and keeps all others', () => {
    const changed = [...ROWS.slice(0, 5), { day: 'friday', from: '09:00', to: '12:00' } as const];
    const entries = weeklyOf(changed, STORED);
    expect(entries).toEqual([
      { days: ['monday', 'tuesday', 'friday'], from: '09:00', to: '12:00' },
      { days: ['monday', 'tuesday'], from: '14:00', to: '18:00' },
      { days: ['saturday'], from: '22:00', to: '02:00' },
    ]);
    expect(weeklyOf(rowsOf(entries))).toEqual(entries);
  });

  it('copies the hours of a day in place of those of others, and leaves the rest', () => {
    expect(copyHours(ROWS, 'saturday', ['monday', 'wednesday', 'saturday'])).toEqual([
      { day: 'monday', from: '22:00', to: '02:00' },
      ROWS[2],
      ROWS[3],
      { day: 'wednesday', from: '22:00', to: '02:00' },
      ROWS[4],
      ROWS[5],
    ]);
    expect(copyHours(ROWS, 'friday', ['monday']).map(({ day }) => day)).not.toContain('monday');
  });

  it.each([
    ['09:00', '18:00', 'same-day'],
    ['22:00', '02:00', 'next-day'],
    ['18:00', '24:00', 'midnight'],
    ['18:00', '00:00', 'midnight'],
    ['00:00', '24:00', 'whole-day'],
    ['09:00', '09:00', null],
    ['09:00', '', null],
  ])('knows where hours from %s to %s end', (from, to, end) => {
    expect(endOf({ from, to })).toBe(end);
  });

  it('takes midnight for the end of the day, and Monday for the day after Sunday', () => {
    expect([endOfClock('00:00'), endOfClock('18:00')]).toEqual(['24:00', '18:00']);
    expect(dayAfter('sunday')).toBe('monday');
  });

  it('shows what the API refuses at each row of the entry', () => {
    const sent = weeklyOf(ROWS);
    const errors = {
      'hours.weekly.0.to': 'end',
      'hours.weekly.1.days.0': 'day',
      'closed.text': 'text',
    };
    expect(errorsAtRows(errors, sent, ROWS)).toEqual({
      'hours.weekly.0.to': 'end',
      'hours.weekly.2.to': 'end',
      'hours.weekly': 'day',
      'closed.text': 'text',
    });
  });
});

describe('the form of a routing', () => {
  const stored: NumberRoutingResponse = {
    hours: { timezone: 'America/Sao_Paulo', weekly: STORED, closed_dates: ['2026-12-25'] },
    closed: { action: 'assistant', assistant_id: 9 },
    queue: { max_waiting: 5, max_seconds: 120, message: 'Um momento.' },
    unavailable: { action: 'message', text: 'Voltamos já.' },
    lookup_url: 'https://crm.example/who',
    lookup_timeout_ms: 3000,
    now: { open: true, action: 'assistant', assistant_id: 1, assistant_name: 'Loja', phone_number: null },
  };
  const issuesOf = (values: RoutingValues) => Object.fromEntries(findIssues(schemaOf(values), values));
  const sent = (values: RoutingValues, ...dirty: (keyof RoutingValues)[]) =>
    changesOf(values, stored, (name) => dirty.includes(name));

  it('sends back all that it was given', () => {
    const { now: _now, ...routing } = stored;
    expect(sent(valuesOf(stored), 'hours', 'closed', 'queue', 'unavailable', 'lookup_url')).toEqual(routing);
  });

  it('sends only the parts that were changed', () => {
    expect(sent(valuesOf(stored))).toEqual({});
    expect(sent(valuesOf(stored), 'unavailable')).toEqual({ unavailable: stored.unavailable });
  });

  it('sends the queue as one part, and null where no one may wait', () => {
    const values = valuesOf(stored);
    const queue = { max_waiting: 3, max_seconds: 60, message: null };
    expect(sent({ ...values, queue }, 'queue')).toEqual({ queue });
    expect(sent({ ...values, hasQueue: false }, 'hasQueue', 'queue')).toEqual({ queue: null });
    const none = valuesOf({ ...stored, queue: null });
    expect(none.hasQueue).toBe(false);
    expect(sent({ ...none, hasQueue: true }, 'hasQueue')).toEqual({
      queue: { max_waiting: 5, max_seconds: 120, message: null },
    });
  });

  it('holds the queue to the limits of the API', () => {
    const queue = { max_waiting: 0, max_seconds: 901, message: 'x'.repeat(501) };
    const values = { ...valuesOf(stored), queue };
    expect(issuesOf(values)).toEqual({
      'queue.max_waiting': { kind: 'minimum', limit: 1 },
      'queue.max_seconds': { kind: 'maximum', limit: 900 },
      'queue.message': { kind: 'maxLength', limit: 500 },
    });
    expect(issuesOf({ ...values, hasQueue: false })).toEqual({});
  });

  it('sends the lookup as one part, without its time if it has no address', () => {
    const values = valuesOf(stored);
    const { lookup_url } = stored;
    expect(sent({ ...values, lookup_timeout_ms: 500 }, 'lookup_timeout_ms')).toEqual({
      lookup_url,
      lookup_timeout_ms: 500,
    });
    expect(sent({ ...values, lookup_url: null }, 'lookup_url')).toEqual({ lookup_url: null });
  });

  it('holds the lookup to the limits of the API', () => {
    const values = { ...valuesOf(stored), lookup_url: 'crm.example', lookup_timeout_ms: 100 };
    expect(issuesOf(values)).toEqual({
      lookup_url: { kind: 'url' },
      lookup_timeout_ms: { kind: 'minimum', limit: 500 },
    });
    expect(issuesOf({ ...values, lookup_url: null })).toEqual({});
  });

  it('sends of an action only what it needs', () => {
    const values = valuesOf(stored);
    const closed = { ...values.closed, action: 'busy' } as const;
    expect(sent({ ...values, closed }, 'closed')).toEqual({ closed: { action: 'busy' } });
  });

  it('clears the hours of a number that is always open, and leaves the action that no call meets', () => {
    const values = { ...valuesOf(stored), isAlwaysOpen: true };
    expect(sent(values, 'isAlwaysOpen', 'hours', 'closed')).toEqual({ hours: null });
  });

  it('requires what the chosen actions need, and complete hours', () => {
    const values = valuesOf(stored);
    const invalid: RoutingValues = {
      ...values,
      hours: { ...values.hours, weekly: [{ day: 'monday', from: '09:00', to: '' }] },
      closed: { ...values.closed, assistant_id: null },
      unavailable: { ...values.unavailable, text: 'x'.repeat(1_001) },
    };
    expect(issuesOf(values)).toEqual({});
    expect(issuesOf(invalid)).toEqual({
      'hours.weekly.0.to': { kind: 'required' },
      'closed.assistant_id': { kind: 'required' },
      'unavailable.text': { kind: 'maxLength', limit: 1_000 },
    });
    // What is not sent is not checked.
    expect(issuesOf({ ...invalid, isAlwaysOpen: true })).toEqual({
      'unavailable.text': { kind: 'maxLength', limit: 1_000 },
    });
  });

  it('offers office hours on the clock of the browser to a number without hours', () => {
    const { isAlwaysOpen, hours } = valuesOf({ ...stored, hours: null });
    expect(isAlwaysOpen).toBe(true);
    expect(hours.timezone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(weeklyOf(hours.weekly)).toEqual([
      { days: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'], from: '09:00', to: '18:00' },
    ]);
  });
});
