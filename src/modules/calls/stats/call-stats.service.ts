import { Injectable } from '@nestjs/common';
import type { FiguresRequest } from '../../../common/figures/figures-request.js';
import { type TokenFigures, tokenFiguresOf } from '../../../common/figures/token-figures.js';
import { CALL_STATUSES, type CallStatus } from '../call-states.js';
import {
  CallStatsRepository,
  type CallFiguresRow,
  type RecentCalls,
  type WaitFigures,
} from './call-stats.repository.js';

export type { RecentCalls } from './call-stats.repository.js';

/** Calls of a group, or of all. */
export interface CallStats {
  readonly count: number;
  readonly byStatus: Readonly<Record<CallStatus, number>>;
  readonly seconds: number;
  readonly carrierCostMicros: number;
  readonly totalCostMicros: number;
  readonly tokens: TokenFigures;
  /** Null where nothing was measured. */
  readonly waits: WaitFigures | null;
}

export interface GroupedCallFigures {
  readonly all: CallStats;
  /** Of groups with calls. */
  readonly groups: ReadonlyMap<number, CallStats>;
}

export const NO_CALLS: CallStats = figuresOf([], null);

/** How many calls an account had, how they ended, and what they cost. */
@Injectable()
export class CallStatsService {
  constructor(private readonly figures: CallStatsRepository) {}

  /** What the last calls of an assistant came to; null where it had none that was answered. */
  async recentOf(userId: number, assistantId: number): Promise<RecentCalls | null> {
    const recent = await this.figures.recentOf(userId, assistantId);
    return recent.seconds > 0 ? recent : null;
  }

  async of(request: FiguresRequest): Promise<GroupedCallFigures> {
    const [counts, waits] = await Promise.all([this.figures.counts(request), this.figures.waits(request)]);
    const waitsOf = new Map(waits.map((row) => [row.group, row]));
    const rowsOf = new Map<number, CallFiguresRow[]>();
    for (const row of counts) rowsOf.set(row.group, [...(rowsOf.get(row.group) ?? []), row]);
    return {
      all: figuresOf(counts, waitsOf.get(null) ?? null),
      groups: new Map(
        [...rowsOf].map(([group, rows]) => [group, figuresOf(rows, waitsOf.get(group) ?? null)]),
      ),
    };
  }
}

function figuresOf(rows: readonly CallFiguresRow[], waits: WaitFigures | null): CallStats {
  const sum = (pick: (row: CallFiguresRow) => number, among = rows) =>
    among.reduce((total, row) => total + pick(row), 0);
  const countOf = (status: CallStatus) =>
    sum(
      ({ calls }) => calls,
      rows.filter((row) => row.status === status),
    );
  const carrierCostMicros = sum((row) => row.carrierCostMicros);
  return {
    count: sum(({ calls }) => calls),
    byStatus: Object.fromEntries(CALL_STATUSES.map((status) => [status, countOf(status)])) as Record<
      CallStatus,
      number
    >,
    seconds: sum(({ seconds }) => seconds),
    carrierCostMicros,
    totalCostMicros: carrierCostMicros + sum((row) => row.aiCostMicros),
    tokens: tokenFiguresOf(rows),
    waits,
  };
}
