import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { callFiltersFrom } from './filters.js';

export const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  validateSearch: callFiltersFrom,
  component: lazyRouteComponent(() => import('./page.js'), 'CallsPage'),
});

export const callRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls/$id',
  component: lazyRouteComponent(() => import('./call/call-page.js'), 'CallPage'),
});
