import { Injectable } from '@nestjs/common';
import {
  ROUTING_ACTIONS,
  ROUTING_BRANCHES,
  ROUTING_REASONS,
  type RoutingAction,
  type RoutingBranch,
  type RoutingReason,
} from '../../../common/phone/call-routing.js';
import {
  type InboundFiguresRequest,
  type InboundFiguresRow,
  InboundStatsRepository,
  type InboundWaitsRow,
} from './inbound-stats.repository.js';

/** How the calls of a group, or of all, were routed. Each branch, action and reason is named. */
export interface InboundStats {
  readonly count: number;
  readonly byBranch: Readonly<Record<RoutingBranch, number>>;
  readonly byAction: Readonly<Record<RoutingAction, number>>;
  /** Calls without a reason are in none. */
  readonly byReason: Readonly<Record<RoutingReason, number>>;
  /** Null where no caller waited for a line. */
  readonly waits: InboundWaits | null;
}

export type InboundWaits = Omit<InboundWaitsRow, 'group'>;

export interface GroupedInboundStats {
  readonly all: InboundStats;
  /** Of groups with calls. */
  readonly groups: ReadonlyMap<string, InboundStats>;
}

export const NO_INBOUND_CALLS: InboundStats = inboundStatsOf([], null);

/** How inbound calls of numbers with a routing were routed. */
@Injectable()
export class InboundStatsService {
  constructor(private readonly figures: InboundStatsRepository) {}

  async of(request: InboundFiguresRequest): Promise<GroupedInboundStats> {
    const [rows, waits] = await Promise.all([this.figures.counts(request), this.figures.waits(request)]);
    const waitsOf = new Map(waits.map(({ group, ...figures }) => [group, figures]));
    const rowsOf = new Map<string, InboundFiguresRow[]>();
    for (const row of rows) rowsOf.set(row.group, [...(rowsOf.get(row.group) ?? []), row]);
    return {
      all: inboundStatsOf(rows, waitsOf.get(null) ?? null),
      groups: new Map(
        [...rowsOf].map(([group, own]) => [group, inboundStatsOf(own, waitsOf.get(group) ?? null)]),
      ),
    };
  }
}

function inboundStatsOf(rows: readonly InboundFiguresRow[], waits: InboundWaits | null): InboundStats {
  const sum = (isCounted: (row: InboundFiguresRow) => boolean) =>
    rows.reduce((total, row) => total + (isCounted(row) ? row.calls : 0), 0);
  const by = <Name extends string>(names: readonly Name[], field: 'branch' | 'action' | 'reason') =>
    Object.fromEntries(names.map((name) => [name, sum((row) => row[field] === name)])) as Record<
      Name,
      number
    >;
  return {
    count: sum(() => true),
    byBranch: by(ROUTING_BRANCHES, 'branch'),
    byAction: by(ROUTING_ACTIONS, 'action'),
    byReason: by(ROUTING_REASONS, 'reason'),
    waits,
  };
}
