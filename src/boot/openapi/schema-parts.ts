import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';

export const DATE_TIME = { type: 'string', format: 'date-time' } as const;
export const FACTS = { type: 'object', additionalProperties: true } as const;

/** An object whose properties are all there, but for the optional ones. */
export function objectOf(
  properties: Readonly<Record<string, SchemaObject | ReferenceObject>>,
  optional: readonly string[] = [],
): SchemaObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

export function refTo(component: string): ReferenceObject {
  return { $ref: `#/components/schemas/${component}` };
}
