import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { liveSearchFrom } from './live-search.js';

export const liveRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/live',
  validateSearch: liveSearchFrom,
  component: lazyRouteComponent(() => import('./page.js'), 'LivePage'),
});
