import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { inboxFiltersFrom } from './filters.js';

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: inboxFiltersFrom,
  component: lazyRouteComponent(() => import('./page.js'), 'InboxPage'),
});
