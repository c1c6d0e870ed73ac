import { Injectable } from '@nestjs/common';
import type { Grouping } from '../../common/figures/figures-request.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { type CallStats, CallStatsService, NO_CALLS } from '../calls/stats/call-stats.service.js';
import { periodOf } from './analytics-period.js';
import { CampaignsService } from '../campaigns/campaigns.service.js';
import {
  type ConversationFigures,
  ConversationFiguresService,
  NO_CONVERSATIONS,
} from '../conversations/figures/conversation-figures.service.js';

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
    const period = periodOf(from, to, zone);
    const { days, before } = period;
    const request = { userId, groupBy, dayStarts: days.map((day) => day.toJSDate()), before };
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
      from: period.from,
      to: period.to,
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

function largest(ids: readonly number[], figuresOf: (id: number) => Figures): number[] {
  const sizeOf = (id: number) => {
    const { calls, conversations } = figuresOf(id);
    return calls.count + (conversations?.count ?? 0);
  };
  return ids.toSorted((a, b) => sizeOf(b) - sizeOf(a) || a - b).slice(0, MAX_GROUPS);
}
