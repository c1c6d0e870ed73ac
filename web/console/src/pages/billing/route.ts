import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const billingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing',
  validateSearch: ({ page }: Record<string, unknown>): { page?: number } =>
    Number.isSafeInteger(page) && Number(page) > 1 ? { page: Number(page) } : {},
  component: lazyRouteComponent(() => import('./page.js'), 'BillingPage'),
});
