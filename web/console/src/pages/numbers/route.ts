import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';

interface Search {
  /** The dialog to rent a number opens with the page. */
  readonly rent?: boolean;
}

export const numbersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers',
  validateSearch: ({ rent }: Record<string, unknown>): Search => (rent === true ? { rent } : {}),
  component: lazyRouteComponent(() => import('./page.js'), 'NumbersPage'),
});

export const numberRoutingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers/$id',
  // The API shows a routing to no one else.
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./routing/page.js'), 'NumberRoutingPage'),
});
