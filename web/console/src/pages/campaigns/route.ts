import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const campaignsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/campaigns',
  component: lazyRouteComponent(() => import('./page.js'), 'CampaignsPage'),
});
