import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const numbersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers',
  component: lazyRouteComponent(() => import('./page.js'), 'NumbersPage'),
});
