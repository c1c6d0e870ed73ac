import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./page.js'), 'KeysPage'),
});
