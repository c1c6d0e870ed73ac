import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../routes.js';

export const mcpServersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/mcp-servers',
  component: lazyRouteComponent(() => import('./page.js'), 'McpServersPage'),
});

export const mcpServerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/mcp-servers/$id',
  component: lazyRouteComponent(() => import('./server-page.js'), 'McpServerPage'),
});
