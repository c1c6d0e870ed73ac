import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { only, shellRoute } from '../../routes.js';

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: (search: Record<string, unknown>): { sort?: string } =>
    sortFrom(search, bothOf('name', 'created', 'used')),
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./page.js'), 'KeysPage'),
});
