import type { OpenAPIObject, ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { DESCRIPTION_OF_FIELD, DESCRIPTION_OF_PARAMETER } from './field-descriptions.js';
import { operationsOf } from './operations.js';

/** Describes what its class leaves without a word. A field that nobody describes stops the document from being made. */
export function addDescriptions(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components?.schemas ?? {})) {
    for (const [field, property] of Object.entries('$ref' in schema ? {} : (schema.properties ?? {}))) {
      describeField(`${name}.${field}`, field, property);
    }
  }
  for (const { method, path, operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if ('$ref' in parameter) continue;
      parameter.description ??= known(DESCRIPTION_OF_PARAMETER[parameter.name], `${method} ${path}`);
    }
  }
}

/** A reference is described by what it refers to: OpenAPI 3.0 lets nothing stand beside it. */
function describeField(place: string, field: string, property: SchemaObject | ReferenceObject): void {
  if ('$ref' in property) return;
  property.description ??= known(DESCRIPTION_OF_FIELD[place] ?? DESCRIPTION_OF_FIELD[field], place);
}

function known(description: string | undefined, place: string): string {
  if (description === undefined)
    throw new Error(
      `nobody describes ${place}: give its decorator a description, or see field-descriptions.ts`,
    );
  return description;
}
