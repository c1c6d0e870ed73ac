import type { OpenAPIObject } from '@nestjs/swagger';

/**
 * Rewrites a document of OpenAPI 3.0, which the framework makes, as 3.1: `nullable` becomes the type `null` of JSON Schema.
 * 3.1 has a place for webhooks.
 */
export function toOpenApi31(document: OpenAPIObject): OpenAPIObject {
  const { openapi: _, ...rest } = document;
  return { openapi: '3.1.0', ...(rewritten(rest, '') as Omit<OpenAPIObject, 'openapi'>) };
}

/** What is under these keys is data, not schema. */
const DATA = new Set(['example', 'examples', 'default', 'enum']);

function rewritten(value: unknown, key: string): unknown {
  if (DATA.has(key) || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => rewritten(each, ''));
  const parts = Object.entries(value).map(([name, part]) => [name, rewritten(part, name)] as const);
  const { nullable, ...schema } = Object.fromEntries(parts) as {
    nullable?: unknown;
    type?: unknown;
    allOf?: unknown;
  };
  if (nullable !== true) return Object.fromEntries(parts);
  // With `allOf`, the schemas it names refuse null even if the type next to them allows it.
  if (typeof schema.type === 'string' && schema.allOf === undefined)
    return { ...schema, type: [schema.type, 'null'] };
  const { description, ...own } = schema as { description?: string };
  return { ...(description ? { description } : {}), anyOf: [own, { type: 'null' }] };
}
