import type { Request } from 'express';

/**
 * The pattern of the route that has answered a request; null where none has. Never the path: it holds ids, of which there are
 * any number, and those of conversations are secrets.
 */
export function routeOf(request: Request): string | null {
  const { route } = request as Request & { route?: { path?: unknown } };
  return typeof route?.path === 'string' ? route.path : null;
}
