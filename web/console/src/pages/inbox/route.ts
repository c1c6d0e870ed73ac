import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./page.js'), 'InboxPage'),
});
