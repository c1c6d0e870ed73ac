import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const toolsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/tools',
  component: lazyRouteComponent(() => import('./page.js'), 'ToolsPage'),
});
