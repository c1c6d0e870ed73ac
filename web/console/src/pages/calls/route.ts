import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute, shellRoute } from '../../routes.js';
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

/** Page of a link to a call, for people without an account. The token is in the fragment. */
export const sharedCallRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/shared-call',
  component: lazyRouteComponent(() => import('./shared/shared-call-page.js'), 'SharedCallPage'),
});
