import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { DESCRIPTION_OF_FIELD, DESCRIPTION_OF_PARAMETER } from './field-descriptions.js';
import { operationsOf } from './operations.js';

/**
 * Describes what its class leaves without a word. A field of a plugin may stay without a description; that every field of the
 * product has one is checked by a test.
 */
export function addDescriptions(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    for (const [field, property] of Object.entries('$ref' in schema ? {} : (schema.properties ?? {}))) {
      describeField(`${name}.${field}`, field, property);
    }
  }
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (!('$ref' in parameter)) describe(parameter, DESCRIPTION_OF_PARAMETER[parameter.name]);
    }
  }
}

/** A reference is described by what it refers to: OpenAPI 3.0 ignores everything next to it. */
function describeField(place: string, field: string, property: SchemaObject | ReferenceObject): void {
  if ('$ref' in property) return;
  describe(property, DESCRIPTION_OF_FIELD[place] ?? DESCRIPTION_OF_FIELD[field]);
}

function describe(place: { description?: string }, description: string | undefined): void {
  if (description !== undefined) place.description ??= description;
}
