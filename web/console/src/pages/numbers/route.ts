import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { only, shellRoute } from '../../routes.js';

interface Search {
  /** The dialog to rent a number opens with the page. */
  readonly rent?: boolean;
  readonly sort?: string;
}

export const numbersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers',
  validateSearch: ({ rent, ...search }: Record<string, unknown>): Search => ({
    ...(rent === true && { rent }),
    ...sortFrom(search, bothOf('number', 'kind', 'country')),
  }),
  component: lazyRouteComponent(() => import('./page.js'), 'NumbersPage'),
});

export const numberRoutingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/numbers/$id',
  // The API shows a routing to no one else.
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./routing/page.js'), 'NumberRoutingPage'),
});
