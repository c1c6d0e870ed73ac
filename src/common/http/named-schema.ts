import type { SchemaObject } from '@nestjs/swagger';

/** Carries the name of a schema until the document is complete, see `nameComponents`. */
export const COMPONENT = 'x-component';

/** A schema that becomes a component of the document, so that generated clients have one named type for it. */
export function namedSchema(name: string, schema: SchemaObject): SchemaObject {
  return Object.assign({ [COMPONENT]: name }, schema);
}
