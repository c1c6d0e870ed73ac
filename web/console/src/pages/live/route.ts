import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const liveRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/live',
  component: lazyRouteComponent(() => import('./page.js'), 'LivePage'),
});
