import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { only, shellRoute } from '../../routes.js';
import { LEAD_STATUSES } from './leads/lead-statuses.js';

interface CampaignFilters {
  readonly q?: string;
  readonly sort?: string;
}

interface LeadFilters {
  readonly status?: (typeof LEAD_STATUSES)[number];
  readonly phone?: string;
  readonly sort?: 'oldest';
  readonly page?: number;
  /** Shown in the drawer. */
  readonly lead?: number;
}

export const campaignsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns',
  validateSearch: (search: Record<string, unknown>): CampaignFilters => ({
    // The router reads digits as a number.
    ...((typeof search.q === 'string' || typeof search.q === 'number') &&
      search.q !== '' && { q: String(search.q) }),
    ...sortFrom(search, bothOf('name', 'status', 'assistant', 'created')),
  }),
  component: lazyRouteComponent(() => import('./page.js'), 'CampaignsPage'),
});

export const newCampaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/new',
  beforeLoad: only('campaigns'),
  component: lazyRouteComponent(() => import('./new-page.js'), 'NewCampaignPage'),
});

export const campaignRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns/$id',
  validateSearch: (search: Record<string, unknown>): LeadFilters => {
    const { status, phone, page, lead } = search;
    const known = LEAD_STATUSES.find((one) => one === status);
    return {
      ...(known && { status: known }),
      // The router reads digits as a number.
      ...((typeof phone === 'string' || typeof phone === 'number') &&
        phone !== '' && { phone: String(phone) }),
      ...sortFrom(search, ['oldest'] as const),
      ...(typeof page === 'number' && page > 1 && { page }),
      ...(typeof lead === 'number' && { lead }),
    };
  },
  component: lazyRouteComponent(() => import('./campaign-page.js'), 'CampaignPage'),
});
