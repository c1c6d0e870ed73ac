import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { doNotCallFiltersFrom } from './filters.js';

export const doNotCallRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/do-not-call',
  validateSearch: doNotCallFiltersFrom,
  component: lazyRouteComponent(() => import('./page.js'), 'DoNotCallPage'),
});
