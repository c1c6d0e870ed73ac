import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';
import { LEAD_STATUSES } from './leads/lead-statuses.js';

interface LeadFilters {
  readonly status?: (typeof LEAD_STATUSES)[number];
  readonly phone?: string;
  readonly page?: number;
  /** Shown in the drawer. */
  readonly lead?: number;
}

export const campaignsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    typeof q === 'string' && q !== '' ? { q } : {},
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
  validateSearch: ({ status, phone, page, lead }: Record<string, unknown>): LeadFilters => {
    const known = LEAD_STATUSES.find((one) => one === status);
    return {
      ...(known && { status: known }),
      // The router reads digits as a number.
      ...((typeof phone === 'string' || typeof phone === 'number') &&
        phone !== '' && { phone: String(phone) }),
      ...(typeof page === 'number' && page > 1 && { page }),
      ...(typeof lead === 'number' && { lead }),
    };
  },
  component: lazyRouteComponent(() => import('./campaign-page.js'), 'CampaignPage'),
});
