import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { analyticsViewFrom } from './view.js';

export const analyticsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/analytics',
  validateSearch: analyticsViewFrom,
  component: lazyRouteComponent(() => import('./page.js'), 'AnalyticsPage'),
});
