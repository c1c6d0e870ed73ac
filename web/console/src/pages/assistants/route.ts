import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { shellRoute } from '../../routes.js';
import { isTab, type Tab } from './editor/tabs.js';

interface Filters {
  readonly q?: string;
  readonly folder?: number;
  /** The dialog for a new assistant is open. */
  readonly new?: boolean;
  readonly sort?: string;
}

interface EditorSearch {
  readonly tab?: Tab;
  /** The test chat has begun, and is open where it has no room next to the editor. */
  readonly test?: boolean;
}

export const assistantsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants',
  validateSearch: ({ q, folder, new: isNew, ...search }: Record<string, unknown>): Filters => ({
    ...sortFrom(search, bothOf('name', 'status', 'type', 'language', 'updated')),
    ...(typeof q === 'string' && q !== '' && { q }),
    ...(typeof folder === 'number' && { folder }),
    ...(isNew === true && { new: true }),
  }),
  component: lazyRouteComponent(() => import('./page.js'), 'AssistantsPage'),
});

export const assistantRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/assistants/$id',
  validateSearch: ({ tab, test }: Record<string, unknown>): EditorSearch => ({
    ...(isTab(tab) && { tab }),
    ...(test === true && { test }),
  }),
  component: lazyRouteComponent(() => import('./editor/editor-page.js'), 'EditorPage'),
});
