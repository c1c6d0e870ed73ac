import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./page.js'), 'KeysPage'),
});
