import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';
import { simulationFiltersFrom } from './filters.js';

export const simulationsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/simulations',
  validateSearch: simulationFiltersFrom,
  component: lazyRouteComponent(() => import('./page.js'), 'SimulationsPage'),
});
