import type { OpenAPIObject, OperationObject } from '@nestjs/swagger';
import { needOf } from '../../common/auth/scopes.js';
import { SCOPE_EXTENSION } from '../../common/auth/needs-scope.js';
import { operationsOf } from './operations.js';

/** Says at each operation that takes a token which scope a key needs for it, as `x-scope`. */
export function addScopes(document: OpenAPIObject): void {
  for (const { method, path, operation } of operationsOf(document)) {
    if ((operation.security ?? []).length === 0) continue;
    if (scopeOf(operation) !== '') continue;
    Object.assign(operation, { [SCOPE_EXTENSION]: needOf(method, path.replace(/\{(\w+)\}/g, ':$1')) });
  }
}

/** What {@link addScopes} has said of an operation that takes a token. */
export function scopeOf(operation: OperationObject): string {
  return (operation as { readonly [SCOPE_EXTENSION]?: string })[SCOPE_EXTENSION] ?? '';
}
