import type { OpenAPIObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

/** A body without a required field may be left out: it is read as an empty one. The framework says it never may. */
export function allowMissingBodies(document: OpenAPIObject): void {
  const schemas = document.components?.schemas ?? {};
  for (const { operation } of operationsOf(document)) {
    const body = operation.requestBody as RequestBodyObject | undefined;
    const schema = body?.content['application/json']?.schema;
    if (!body || !schema) continue;
    const whole = '$ref' in schema ? schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : schema;
    if (whole && !(whole as SchemaObject).required?.length) body.required = false;
  }
}
