import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const knowledgeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge',
  component: lazyRouteComponent(() => import('./page.js'), 'KnowledgePage'),
});

export const knowledgebaseRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/knowledge/$id',
  component: lazyRouteComponent(() => import('./base-page.js'), 'BasePage'),
});
