import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants',
  component: lazyRouteComponent(() => import('./page.js'), 'AssistantsPage'),
});
