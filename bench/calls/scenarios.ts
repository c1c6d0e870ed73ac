import { assistantOf, campaignOf, type Tenant } from './seed.js';

/** A list of calls that is asked for. */
export interface Scenario {
  readonly name: string;
  readonly isFirstPage: boolean;
  readonly query: (tenant: Tenant) => Record<string, string | number>;
}

const lastPage = ({ calls }: Tenant) => Math.floor(calls / 15);

export const SCENARIOS: readonly Scenario[] = [
  { name: 'unfiltered', isFirstPage: true, query: () => ({}) },
  { name: 'status', isFirstPage: true, query: () => ({ status: 'completed' }) },
  { name: 'type', isFirstPage: true, query: () => ({ type: 'inbound' }) },
  { name: 'phone_number', isFirstPage: true, query: () => ({ phone_number: '+5511900000007' }) },
  { name: 'assistant_id', isFirstPage: true, query: ({ userId }) => ({ assistant_id: assistantOf(userId) }) },
  { name: 'campaign_id', isFirstPage: true, query: ({ userId }) => ({ campaign_id: campaignOf(userId) }) },
  {
    name: 'date_from, date_to',
    isFirstPage: true,
    query: () => ({ date_from: '2025-02-10', date_to: '2025-11-20' }),
  },
  {
    name: 'status, assistant_id',
    isFirstPage: true,
    query: ({ userId }) => ({ status: 'busy', assistant_id: assistantOf(userId) }),
  },
  {
    name: 'type, date_from',
    isFirstPage: true,
    query: () => ({ type: 'web', date_from: '2025-06-15' }),
  },
  { name: 'branch', isFirstPage: true, query: () => ({ branch: 'unavailable' }) },
  {
    name: 'reason, status, date_from',
    isFirstPage: true,
    query: () => ({ reason: 'account_full', status: 'busy', date_from: '2025-06-15' }),
  },
  { name: 'last page', isFirstPage: false, query: (tenant) => ({ page: lastPage(tenant) }) },
  {
    name: 'status, half way',
    isFirstPage: false,
    query: (tenant) => ({ status: 'completed', page: Math.floor(lastPage(tenant) * 0.3) }),
  },
];
