import { sortFrom } from '../../components/tables/sort.js';
import type { ExportCallsData, ListCallsData } from '#client/types.gen.js';

type Query = NonNullable<ListCallsData['query']>;

export const STATUSES = [
  'in-progress',
  'ringing',
  'initiated',
  'completed',
  'ended',
  'ended_by_customer',
  'ended_by_assistant',
  'busy',
  'no-answer',
  'failed',
] as const satisfies readonly Query['status'][];
export const TYPES = ['inbound', 'outbound', 'web'] as const satisfies readonly Query['type'][];
export const BRANCHES = [
  'open',
  'closed',
  'lookup',
  'unavailable',
] as const satisfies readonly Query['branch'][];
export const REASONS = [
  'hours',
  'closed_date',
  'lookup',
  'no_assistant',
  'account_full',
  'platform_full',
  'trunk_full',
  'balance',
  'no_voice',
  'queue_full',
  'queue_timeout',
] as const satisfies readonly Query['reason'][];

/** Callers who were turned away. */
const MISSED = { type: 'inbound', status: 'busy' } as const satisfies Query;

/** Which calls are shown and which one is open, kept in the URL. */
export interface CallFilters {
  readonly call?: number;
  readonly page?: number;
  readonly status?: (typeof STATUSES)[number];
  readonly type?: (typeof TYPES)[number];
  readonly phone?: string;
  /** Part of the number, and words of the transcript. */
  readonly q?: string;
  readonly tag?: string;
  readonly assistant?: number;
  readonly campaign?: number;
  readonly branch?: (typeof BRANCHES)[number];
  readonly reason?: (typeof REASONS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly sort?: 'oldest';
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function callFiltersFrom(search: Record<string, unknown>): CallFilters {
  const day = (value: unknown) => (typeof value === 'string' && DAY.test(value) ? value : undefined);
  const id = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
  // The router parses digits as a number.
  const text = (value: unknown) =>
    typeof value === 'number' || typeof value === 'string' ? `${value}` : undefined;
  const filters: CallFilters = {
    call: id(search.call),
    page: id(search.page),
    status: STATUSES.find((known) => known === search.status),
    type: TYPES.find((known) => known === search.type),
    phone: text(search.phone),
    q: text(search.q),
    tag: text(search.tag),
    assistant: id(search.assistant),
    campaign: id(search.campaign),
    branch: BRANCHES.find((known) => known === search.branch),
    reason: REASONS.find((known) => known === search.reason),
    from: day(search.from),
    to: day(search.to),
    ...sortFrom(search, ['oldest'] as const),
  };
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

export function isFiltered({ call: _call, page: _page, sort: _sort, ...filters }: CallFilters): boolean {
  return Object.keys(filters).length > 0;
}

export function isMissed({ type, status }: CallFilters): boolean {
  return type === MISSED.type && status === MISSED.status;
}

/** Turns the filter of missed calls on or off. */
export function toggleMissed(filters: CallFilters): CallFilters {
  if (!isMissed(filters)) return { ...filters, ...MISSED };
  const { type: _type, status: _status, ...others } = filters;
  return others;
}

export function toQuery({ page, sort, ...filters }: CallFilters): Query {
  return { per_page: 25, ...(page ? { page } : {}), ...(sort ? { sort } : {}), ...toExportQuery(filters) };
}

/** The same filters without the page. */
export function toExportQuery({
  status,
  type,
  phone,
  q,
  tag,
  assistant,
  campaign,
  branch,
  reason,
  from,
  to,
}: CallFilters): NonNullable<ExportCallsData['query']> {
  return {
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(phone ? { phone_number: phone } : {}),
    ...(q ? { q } : {}),
    ...(tag ? { tag } : {}),
    ...(assistant ? { assistant_id: assistant } : {}),
    ...(campaign ? { campaign_id: campaign } : {}),
    ...(branch ? { branch } : {}),
    ...(reason ? { reason } : {}),
    ...(from ? { date_from: from } : {}),
    ...(to ? { date_to: to } : {}),
  };
}
