import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { filtersOf } from './filters.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: filtersOf,
  component: lazyRouteComponent(() => import('./page.js'), 'WebhooksPage'),
});
