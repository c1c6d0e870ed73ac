import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { FiguresRequest, Grouping } from '../../common/figures/figures-request.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { type CallStats, CallStatsService, NO_CALLS } from '../calls/stats/call-stats.service.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import {
  type ConversationFigures,
  ConversationFiguresService,
  NO_CONVERSATIONS,
} from '../conversations/figures/conversation-figures.service.js';

const MAX_DAYS = 92;
const DEFAULT_DAYS = 30;
/** Those with the most calls and conversations; the totals are of all. */
export const MAX_GROUPS = 500;

export interface Figures {
  readonly calls: CallStats;
  /** Null by campaign: no conversation is of one. */
  readonly conversations: ConversationFigures | null;
}

export interface FiguresGroup extends Figures {
  /** `YYYY-MM-DD`; null in other groups than days. */
  readonly day: string | null;
  /** Of the assistant or campaign; null for what has none, or none any more. */
  readonly id: number | null;
  readonly name: string | null;
}

export interface Analytics {
  readonly zone: string;
  readonly from: string;
  readonly to: string;
  readonly groupBy: Grouping;
  readonly totals: Figures;
  readonly groups: readonly FiguresGroup[];
}

export interface AnalyticsRange {
  readonly from?: string;
  readonly to?: string;
  readonly group_by?: Grouping;
}

/** What an account's calls and conversations come to. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly calls: CallStatsService,
    private readonly conversations: ConversationFiguresService,
    private readonly assistants: AssistantsService,
    private readonly campaigns: CampaignsService,
  ) {}

  /** @throws ValidationFailedError for days in the wrong order, or too many of them */
  async get(
    userId: number,
    { from, to, group_by: groupBy = 'day' }: AnalyticsRange,
    zone: string,
  ): Promise<Analytics> {
    const days = daysOf(from, to, zone);
    const request = requestOf(userId, groupBy, days);
    const [calls, conversations] = await Promise.all([
      this.calls.of(request),
      groupBy === 'campaign' ? null : this.conversations.of(request),
    ]);
    const figuresOf = (group: number): Figures => ({
      calls: calls.groups.get(group) ?? NO_CALLS,
      conversations: conversations && (conversations.groups.get(group) ?? NO_CONVERSATIONS),
    });
    const found = [...new Set([...calls.groups.keys(), ...(conversations?.groups.keys() ?? [])])];
    const groups =
      groupBy === 'day'
        ? days.map((day, index) => ({ day: day.toISODate(), id: null, name: null, ...figuresOf(index + 1) }))
        : await this.named(userId, groupBy, largest(found, figuresOf), figuresOf);
    return {
      zone,
      from: days[0]?.toISODate() ?? '',
      to: days.at(-1)?.toISODate() ?? '',
      groupBy,
      totals: { calls: calls.all, conversations: conversations && conversations.all },
      groups,
    };
  }

  private async named(
    userId: number,
    groupBy: 'assistant' | 'campaign',
    ids: readonly number[],
    figuresOf: (group: number) => Figures,
  ): Promise<FiguresGroup[]> {
    const names = await (groupBy === 'assistant' ? this.assistants : this.campaigns).namesOf(userId, ids);
    return ids.map((id) => ({
      day: null,
      id: id === 0 ? null : id,
      name: names.get(id) ?? null,
      ...figuresOf(id),
    }));
  }
}

/** The beginning of each day. */
function daysOf(from: string | undefined, to: string | undefined, zone: string): DateTime<true>[] {
  const startOf = (day: string) => DateTime.fromISO(day, { zone }).startOf('day') as DateTime<true>;
  const last =
    to === undefined ? (DateTime.now().setZone(zone).startOf('day') as DateTime<true>) : startOf(to);
  const first = from === undefined ? last.minus({ days: DEFAULT_DAYS - 1 }) : startOf(from);
  if (first > last) throw ValidationFailedError.of('from', 'analytics.order');
  const count = Math.round(last.diff(first, 'days').days) + 1;
  if (count > MAX_DAYS) throw ValidationFailedError.of('from', 'analytics.range', { max: MAX_DAYS });
  return Array.from({ length: count }, (_, index) => first.plus({ days: index }).startOf('day'));
}

function requestOf(userId: number, groupBy: Grouping, days: readonly DateTime<true>[]): FiguresRequest {
  const last = days.at(-1);
  if (!last) throw new Error('a range without days');
  return {
    userId,
    groupBy,
    dayStarts: days.map((day) => day.toJSDate()),
    before: last.plus({ days: 1 }).startOf('day').toJSDate(),
  };
}

function largest(ids: readonly number[], figuresOf: (id: number) => Figures): number[] {
  const sizeOf = (id: number) => {
    const { calls, conversations } = figuresOf(id);
    return calls.count + (conversations?.count ?? 0);
  };
  return ids.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a - b).slice(0, MAX_GROUPS);
}
