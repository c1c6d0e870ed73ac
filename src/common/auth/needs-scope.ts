import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import type { Scope } from './scope.js';

/** Where the document names the scope of an operation. */
export const SCOPE_EXTENSION = 'x-scope';
const SCOPE_OF_ROUTE = 'prosa.scope';

/**
 * The scope that an API key needs for a route, in place of the one that its path gives it: `read` for GET, `admin` for anything
 * else.
 */
export const NeedsScope = (scope: Scope): MethodDecorator & ClassDecorator =>
  applyDecorators(SetMetadata(SCOPE_OF_ROUTE, scope), ApiExtension(SCOPE_EXTENSION, scope));

/** Undefined where the route leaves it to its path. */
export function scopeOfRoute(handler: Function, controller: Function): Scope | undefined {
  const own = Reflect.getMetadata(SCOPE_OF_ROUTE, handler) as Scope | undefined;
  return own ?? (Reflect.getMetadata(SCOPE_OF_ROUTE, controller) as Scope | undefined);
}
