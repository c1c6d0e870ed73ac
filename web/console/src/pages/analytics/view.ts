export const DAYS = [7, 30, 90] as const;
export const MEASURES = ['calls', 'minutes', 'conversations', 'messages', 'cost'] as const;
export const GROUPS = ['assistant', 'campaign'] as const;

export type Measure = (typeof MEASURES)[number];
export type Group = (typeof GROUPS)[number];

/** Filters of the page, kept in the URL. */
export interface AnalyticsView {
  /** How many, up to today; {@link DEFAULT_DAYS} without it. */
  readonly days?: (typeof DAYS)[number];
  readonly measure?: Measure;
  readonly by?: Group;
}

export const DEFAULT_DAYS = 30;

export function analyticsViewFrom(search: Record<string, unknown>): AnalyticsView {
  const view: AnalyticsView = {
    days: DAYS.find((known) => known === search.days && known !== DEFAULT_DAYS),
    measure: MEASURES.find((known) => known === search.measure),
    by: GROUPS.find((known) => known === search.by),
  };
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}
