import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';

export const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./page.js'), 'MembersPage'),
});
