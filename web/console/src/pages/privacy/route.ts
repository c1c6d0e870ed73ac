import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { only, shellRoute } from '../../routes.js';

export const privacyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/privacy',
  // Id of the erasure to show.
  validateSearch: ({ erasure }: Record<string, unknown>): { readonly erasure?: number } =>
    Number.isSafeInteger(erasure) && Number(erasure) > 0 ? { erasure: Number(erasure) } : {},
  beforeLoad: only('admin'),
  component: lazyRouteComponent(() => import('./page.js'), 'PrivacyPage'),
});
