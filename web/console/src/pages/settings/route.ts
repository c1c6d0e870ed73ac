import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  // The export of the account whose progress is shown.
  validateSearch: ({ export: id }: Record<string, unknown>): { readonly export?: number } =>
    Number.isSafeInteger(id) && Number(id) > 0 ? { export: Number(id) } : {},
  component: lazyRouteComponent(() => import('./page.js'), 'SettingsPage'),
});
