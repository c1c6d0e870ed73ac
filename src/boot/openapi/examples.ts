import type {
  MediaTypeObject,
  OpenAPIObject,
  ReferenceObject,
  RequestBodyObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { REQUEST_EXAMPLES } from './request-examples.js';
import { operationsOf } from './operations.js';

type Schema = SchemaObject | ReferenceObject;
type Schemas = Readonly<Record<string, Schema>>;

/** Gives every JSON body of the document an example, put together from the examples of its fields. */
export function addExamples(document: OpenAPIObject): void {
  for (const { operation } of operationsOf(document)) {
    const request = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json'];
    const example = REQUEST_EXAMPLES[operation.operationId ?? ''];
    if (request && example) request.example = example;
    const bodies = [operation.requestBody, ...Object.values(operation.responses)] as (
      RequestBodyObject | ResponseObject | undefined
    )[];
    for (const body of bodies) if (body) addExample(body, document);
  }
}

/** The same for one body. */
export function addExample(body: RequestBodyObject | ResponseObject, document: OpenAPIObject): void {
  const media = body.content?.['application/json'];
  if (media?.schema && !hasExample(media)) {
    media.example = exampleOf(media.schema, document.components?.schemas ?? {});
  }
}

function hasExample({ example, examples }: MediaTypeObject): boolean {
  return example !== undefined || examples !== undefined;
}

const TEXT_OF_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-03-14T12:00:00.000Z',
  date: '2026-03-14',
  uuid: '3b0f7a52-6d0e-4a43-9a58-0f5a3c1d2e4f',
  uri: 'https://example.com/',
  email: 'ana@example.com',
  binary: '',
};

/** The example of a text whose class gives none. */
const NO_WORDS = 'string';

/** What the schema itself names, else the least value it allows. */
function exampleOf(schema: Schema, schemas: Schemas, field = ''): unknown {
  if ('$ref' in schema) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    const target = schemas[name];
    if (!target) throw new Error(`the document does not hold the schema ${schema.$ref}`);
    return exampleOf(target, schemas, field);
  }
  const given = schema.example ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  const [either] = schema.oneOf ?? schema.anyOf ?? [];
  if (either) return exampleOf(either, schemas, field);
  if (schema.allOf) {
    return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, field))) as unknown;
  }
  return exampleOfType(schema, schemas, field);
}

function exampleOfType(schema: SchemaObject, schemas: Schemas, field: string): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, property]) => [
          name,
          exampleOf(property, schemas, name),
        ]),
      );
    case 'array':
      return schema.items && schema.maxItems !== 0 ? [exampleOf(schema.items, schemas, field)] : [];
    case 'integer':
    case 'number':
      return schema.minimum ?? 1;
    case 'boolean':
      return true;
    case 'string':
      return TEXT_OF_FORMAT[schema.format ?? ''] ?? (schema.nullable ? null : NO_WORDS);
    case undefined:
    default:
      return schema.nullable ? null : {};
  }
}
