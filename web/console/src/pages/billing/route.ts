import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const billingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing',
  component: lazyRouteComponent(() => import('./page.js'), 'BillingPage'),
});
