import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { inboxFiltersFrom } from './list/filters.js';
import { conversationsQuery } from './list/list-query.js';

export const inboxRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/inbox',
  validateSearch: inboxFiltersFrom,
  loaderDeps: ({ search: { id: _id, ...filters } }) => filters,
  loader: ({ context: { queries }, deps }) => {
    // The page shows the placeholder or the failure.
    void queries.prefetchInfiniteQuery(conversationsQuery(deps));
  },
  component: lazyRouteComponent(() => import('./page.js'), 'InboxPage'),
});
