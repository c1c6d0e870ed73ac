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

/** Which calls are shown and which one is open, kept in the URL. */
export interface CallFilters {
  readonly call?: number;
  readonly page?: number;
  readonly status?: (typeof STATUSES)[number];
  readonly type?: (typeof TYPES)[number];
  readonly phone?: string;
  readonly assistant?: number;
  readonly campaign?: number;
  readonly from?: string;
  readonly to?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function callFiltersFrom(search: Record<string, unknown>): CallFilters {
  const day = (value: unknown) => (typeof value === 'string' && DAY.test(value) ? value : undefined);
  const id = (value: unknown) =>
    Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;
  const filters: CallFilters = {
    call: id(search.call),
    page: id(search.page),
    status: STATUSES.find((known) => known === search.status),
    type: TYPES.find((known) => known === search.type),
    // The router parses digits as a number.
    phone:
      typeof search.phone === 'number' || typeof search.phone === 'string' ? `${search.phone}` : undefined,
    assistant: id(search.assistant),
    campaign: id(search.campaign),
    from: day(search.from),
    to: day(search.to),
  };
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''),
  );
}

export function isFiltered({ call: _call, page: _page, ...filters }: CallFilters): boolean {
  return Object.keys(filters).length > 0;
}

export function toQuery({ page, ...filters }: CallFilters): Query {
  return { per_page: 25, ...(page ? { page } : {}), ...toExportQuery(filters) };
}

/** The same filters without the page. */
export function toExportQuery({
  status,
  type,
  phone,
  assistant,
  campaign,
  from,
  to,
}: CallFilters): NonNullable<ExportCallsData['query']> {
  return {
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(phone ? { phone_number: phone } : {}),
    ...(assistant ? { assistant_id: assistant } : {}),
    ...(campaign ? { campaign_id: campaign } : {}),
    ...(from ? { date_from: from } : {}),
    ...(to ? { date_to: to } : {}),
  };
}
