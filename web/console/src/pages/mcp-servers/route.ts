import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { bothOf, sortFrom } from '../../components/tables/sort.js';
import { shellRoute } from '../../routes.js';

export const mcpServersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/mcp-servers',
  validateSearch: (search: Record<string, unknown>): { sort?: string } =>
    sortFrom(search, bothOf('name', 'refreshed')),
  component: lazyRouteComponent(() => import('./page.js'), 'McpServersPage'),
});

export const mcpServerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/mcp-servers/$id',
  component: lazyRouteComponent(() => import('./server-page.js'), 'McpServerPage'),
});
