import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { only, shellRoute } from '../../routes.js';

export const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  validateSearch: (search: Record<string, unknown>): { sort?: string } =>
    sortFrom(search, bothOf('name', 'email', 'role', 'since')),
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./page.js'), 'MembersPage'),
});
