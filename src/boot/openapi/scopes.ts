import type { OpenAPIObject } from '@nestjs/swagger';
import { needOf } from '../../common/auth/scopes.js';
import { operationsOf } from './operations.js';

/** Says at each operation that takes a token which scope a key needs for it, as `x-scope`. */
export function addScopes(document: OpenAPIObject): void {
  for (const { method, path, operation } of operationsOf(document)) {
    if ((operation.security ?? []).length === 0) continue;
    Object.assign(operation, { 'x-scope': needOf(method, path.replace(/\{(\w+)\}/g, ':$1')) });
  }
}
