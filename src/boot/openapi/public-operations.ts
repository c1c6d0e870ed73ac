import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** Says of each operation without a token that it needs none. Without it, a reader cannot tell it from one that is forgotten. */
export function openPublicOperations(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) operation.security ??= [];
}
