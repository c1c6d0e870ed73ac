import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';
import { filtersOf } from './filters.js';

export const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: filtersOf,
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./page.js'), 'AuditPage'),
});
