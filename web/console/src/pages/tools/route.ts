import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';

export const toolsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tools',
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
