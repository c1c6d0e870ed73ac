import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';

export const numbersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers',
  component: lazyRouteComponent(() => import('./page.js'), 'NumbersPage'),
});

export const numberRoutingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers/$id',
  // The API shows a routing to no one else.
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./routing/page.js'), 'NumberRoutingPage'),
});
