import type { OpenAPIObject, RequestBodyObject } from '@nestjs/swagger';
import { operationsOf } from './operations.js';

const FORMS = new Set(['application/json', 'multipart/form-data', 'application/x-www-form-urlencoded']);

/** A file that is sent as the body itself is text or bytes. The framework gives every type of content the schema of the form. */
export function describeFileBodies(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const body = operation.requestBody as RequestBodyObject | undefined;
    for (const [type, media] of Object.entries(body?.content ?? {})) {
      if (FORMS.has(type)) continue;
      media.schema = type.startsWith('text/') ? { type: 'string' } : { type: 'string', format: 'binary' };
    }
  }
}
