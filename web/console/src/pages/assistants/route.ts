import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { isTab, type Tab } from './editor/tabs.js';

interface Filters {
  readonly q?: string;
  readonly folder?: number;
}

export const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants',
  validateSearch: ({ q, folder }: Record<string, unknown>): Filters => ({
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof folder === 'number' && { folder }),
  }),
  component: lazyRouteComponent(() => import('./page.js'), 'AssistantsPage'),
});

export const assistantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/$id',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: Tab } => (isTab(tab) ? { tab } : {}),
  component: lazyRouteComponent(() => import('./editor/editor-page.js'), 'EditorPage'),
});
