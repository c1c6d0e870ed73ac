import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { only, shellRoute } from '../../routes.js';

export const toolsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tools',
  validateSearch: (search: Record<string, unknown>): { sort?: string } =>
    sortFrom(search, bothOf('name', 'parameters', 'updated')),
  component: lazyRouteComponent(() => import('./page.js'), 'ToolsPage'),
});

export const newToolRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tools/new',
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./tool-page.js'), 'NewToolPage'),
});

export const toolRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tools/$id',
  component: lazyRouteComponent(() => import('./tool-page.js'), 'ToolPage'),
});
