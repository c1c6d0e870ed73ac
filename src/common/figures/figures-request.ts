export const GROUPINGS = ['day', 'assistant', 'campaign'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Of what figures are wanted, and in which groups. */
export interface FiguresRequest {
  readonly userId: number;
  readonly groupBy: Grouping;
  /** Where each day begins, the first one included; days are numbered from 1. */
  readonly dayStarts: readonly Date[];
  /** Where the last day ends. */
  readonly before: Date;
}

/** The parameters of a statement: account, start, end, and where days begin. */
export function parametersOf({ userId, groupBy, dayStarts, before }: FiguresRequest): readonly unknown[] {
  return [userId, dayStarts[0], before, ...(groupBy === 'day' ? [dayStarts] : [])];
}

/** SQL: the group of a row, see {@link parametersOf}: the number of its day, or an id; 0 means none. */
export const GROUP_SQL: Readonly<Record<Grouping, string>> = {
  day: 'width_bucket(created_at, $4::timestamptz[])',
  assistant: 'coalesce(assistant_id, 0)',
  campaign: 'coalesce(campaign_id, 0)',
};
