import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const pluginRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/plugins/$name',
  component: lazyRouteComponent(() => import('./page.js'), 'PluginPage'),
});
