import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { shellRoute } from '../../routes.js';

export const knowledgeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge',
  validateSearch: (search: Record<string, unknown>): { sort?: string } =>
    sortFrom(search, bothOf('name', 'status', 'documents', 'assistants', 'updated')),
  component: lazyRouteComponent(() => import('./page.js'), 'KnowledgePage'),
});

export const knowledgebaseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge/$id',
  component: lazyRouteComponent(() => import('./base-page.js'), 'BasePage'),
});
