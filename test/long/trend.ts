export interface Point {
  readonly minutes: number;
  readonly value: number;
}

export type Series = Map<string, Point[]>;

export interface Trend {
  readonly name: string;
  readonly first: number;
  readonly last: number;
  /** How much the fitted line rises from the end of the warm-up to the end of the run. */
  readonly growth: number;
  readonly allowed: number;
  readonly verdict: 'flat' | 'bounded' | 'GROWS' | 'grows with the work';
}

/** The first third of a run warms up; not more than ten minutes. */
const WARM_UP_SHARE = 1 / 3;
const WARM_UP_MINUTES = 10;

/** Rows that are kept because they were promised, or for a time of days. */
export const TABLES_THAT_GROW = [
  'calls',
  'conversations',
  'messages',
  'leads',
  'lead_dials',
  'lead_imports',
  'dial_attempts',
  'ledger_entries',
  'holds',
  'idempotency_keys',
  'webhook_deliveries',
  'webhook_attempts',
  'audit_log_entries',
  'call_turns',
  'call_words',
  'conversation_words',
  'lead_secondary_contacts',
] as const;

/** DATABASE_POOL_SIZE of each process. */
const CONNECTIONS = 16;

/** What is kept up to a number, and grows until then: an hour may be too short to get there. */
const BOUNDS: Readonly<Record<string, number>> = {
  // A thousand finished jobs, and ten thousand events, of each queue.
  'bullmq.job rows': 20_000,
  'bullmq.event rows': 200_000,
};

/** What may be above the warm value: a share of it, and at least so much. */
const TOLERANCES: readonly { readonly name: RegExp; readonly share: number; readonly least: number }[] = [
  { name: / rss MB$/, share: 0.15, least: 40 },
  { name: / (heap|external) MB$/, share: 0.1, least: 10 },
  { name: / (handles|files)$/, share: 0.1, least: 12 },
  // Rows of work in progress: queues, leases, what waits.
  { name: / rows$/, share: 0.1, least: 60 },
];

/**
 * The slope of a series by least squares, times its length, held against what is allowed.
 *
 * @param processes of the product, which may have their connections
 */
export function growthOf(name: string, points: readonly Point[], processes = 2): Trend {
  const end = points.at(-1)?.minutes ?? 0;
  const warm = points.filter(({ minutes }) => minutes > Math.min(end * WARM_UP_SHARE, WARM_UP_MINUTES));
  const [from] = warm;
  const to = warm.at(-1);
  const first = from?.value ?? 0;
  const last = to?.value ?? 0;
  const growth = Number((slopeOf(warm) * ((to?.minutes ?? 0) - (from?.minutes ?? 0))).toFixed(1));
  // One more counts them.
  const bound = name === 'connections' ? processes * CONNECTIONS + 1 : BOUNDS[name];
  if (bound !== undefined) {
    return { name, first, last, growth, allowed: bound, verdict: last > bound ? 'GROWS' : 'bounded' };
  }
  const tolerance = TOLERANCES.find((each) => each.name.test(name));
  if (!tolerance || TABLES_THAT_GROW.some((table) => name === `${table} rows`)) {
    return { name, first, last, growth, allowed: Number.NaN, verdict: 'grows with the work' };
  }
  const allowed = Number(Math.max(first * tolerance.share, tolerance.least).toFixed(1));
  return { name, first, last, growth, allowed, verdict: growth > allowed ? 'GROWS' : 'flat' };
}

function slopeOf(points: readonly Point[]): number {
  const mean = (pick: (point: Point) => number) =>
    points.reduce((sum, point) => sum + pick(point), 0) / Math.max(1, points.length);
  const minutes = mean((point) => point.minutes);
  const value = mean((point) => point.value);
  const spread = points.reduce((sum, point) => sum + (point.minutes - minutes) ** 2, 0);
  if (spread === 0) return 0;
  return points.reduce((sum, point) => sum + (point.minutes - minutes) * (point.value - value), 0) / spread;
}
