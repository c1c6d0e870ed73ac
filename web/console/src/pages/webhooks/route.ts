import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./page.js'), 'WebhooksPage'),
});
