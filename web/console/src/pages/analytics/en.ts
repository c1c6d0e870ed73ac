import type { analyticsPt } from './pt.js';
import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('en');

export const analyticsEn = {
  title: 'Analytics',
  subtitle: 'Results, costs and response times of calls and conversations.',
  period: 'Period',
  days: (days: number) => `${days} ${plural(days, 'day', 'days')}`,
  byDay: 'Per day',
  zone: (zone: string) => `Time zone: ${zone}`,
  measure: 'Metric',
  measures: {
    calls: 'Calls',
    minutes: 'Minutes',
    conversations: 'Conversations',
    messages: 'Messages',
    cost: 'Cost',
  },
  minutes: (minutes: string) => `${minutes} min talked`,
  messages: (shown: string, count: number) => `${shown} ${plural(count, 'message', 'messages')}`,
  ofConversations: ({
    withPerson,
    ended,
    tests,
  }: Readonly<Record<'withPerson' | 'ended' | 'tests', string>>) =>
    `With a person: ${withPerson} · ended: ${ended} · tests: ${tests}`,
  ofCarrier: (money: string) => `including ${money} for the carrier`,
  wait: 'Response time',
  slowest: (ms: string) => `Median; p95: ${ms} ms`,
  notMeasured: 'No data',
  tokens: 'Input tokens',
  tokensOut: (tokens: string) => `${tokens} output`,
  none: 'No activity in this period.',
  outcomes: {
    title: 'Call outcomes',
    talked: 'Answered',
    live: 'In progress',
    noAnswer: 'No answer',
    busy: 'Busy',
    failed: 'Failed',
  },
  inbound: {
    title: 'Inbound calls',
    summary: (calls: string, count: number, missed: string) =>
      `${calls} ${plural(count, 'call', 'calls')}, ${missed} missed`,
    missed: 'Missed calls',
    show: 'View missed calls',
    byHour: 'Missed calls by hour of the day',
    hour: 'Hour',
    hourOf: (hour: number) => `${String(hour).padStart(2, '0')}:00`,
    none: 'No missed calls in this period.',
    reasons: 'Reasons',
    reasonsHint: 'Why calls were not answered as in opening hours.',
    noReasons: 'All calls were answered as in opening hours.',
    number: 'Number',
    waits: {
      title: 'Queue',
      count: 'Callers who waited',
      median: 'Median wait',
      p95: 'Wait (p95)',
      abandoned: 'Gave up',
      share: (count: string, percent: string) => `${count} (${percent}%)`,
    },
  },
  groups: {
    title: 'Comparison',
    assistant: 'By assistant',
    campaign: 'By campaign',
    of: { assistant: 'Assistant', campaign: 'Campaign' },
    without: { assistant: 'Deleted assistant', campaign: 'No campaign' },
    tokens: 'Tokens',
  },
} satisfies typeof analyticsPt;
