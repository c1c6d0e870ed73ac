import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const callsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/calls',
  component: lazyRouteComponent(() => import('./page.js'), 'CallsPage'),
});
