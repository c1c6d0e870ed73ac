import type {
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  RequestBodyObject,
  SchemaObject,
} from '@nestjs/swagger';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { renderIssues } from '../../common/errors/error-filter.js';
import { errorBodyFor, languageOf } from '../../common/errors/route-families.js';
import { text } from '../../i18n/catalogue.js';

type Schema = SchemaObject | ReferenceObject;

/**
 * The answer of a route to an empty body, or to a first field of the wrong type if nothing is required. Undefined for a route
 * without input.
 */
export function validationExampleOf(
  document: OpenAPIObject,
  path: string,
  operation: OperationObject,
): object | undefined {
  const issues = issuesOf(document, operation);
  if (issues.length === 0) return undefined;
  return errorBodyFor(path, { kind: 'invalid', ...renderIssues(issues, languageOf(path)) });
}

function issuesOf(document: OpenAPIObject, operation: OperationObject): FieldIssue[] {
  const body = operation.requestBody as RequestBodyObject | undefined;
  const media = body?.content['application/json'] ?? body?.content['multipart/form-data'];
  const schema = resolved(document, media?.schema);
  const required = schema?.required ?? [];
  if (required.length > 0) {
    return required.map((field) => ({ field, text: text('validation.required', { field }) }));
  }
  const [field, property] = Object.entries(schema?.properties ?? {})[0] ?? firstQueryOf(operation) ?? [];
  if (field === undefined) return [];
  return [wrongTypeOf(field, resolved(document, property))];
}

function firstQueryOf({ parameters = [] }: OperationObject): [string, Schema | undefined] | undefined {
  const query = parameters.find((each) => 'in' in each && each.in === 'query');
  return query && 'name' in query ? [query.name, query.schema] : undefined;
}

function wrongTypeOf(field: string, schema: SchemaObject | undefined): FieldIssue {
  const values = schema?.enum?.filter((value) => value !== null);
  if (values) return { field, text: text('validation.one_of', { field, values: values.join(', ') }) };
  switch (schema?.type) {
    case 'integer':
      return { field, text: text('validation.integer', { field }) };
    case 'number':
      return { field, text: text('validation.number', { field }) };
    case 'boolean':
      return { field, text: text('validation.boolean', { field }) };
    case 'array':
      return { field, text: text('validation.array', { field }) };
    case 'object':
      return { field, text: text('validation.object', { field }) };
    case 'string':
    case undefined:
    default:
      return { field, text: text('validation.string', { field }) };
  }
}

function resolved(document: OpenAPIObject, schema: Schema | undefined): SchemaObject | undefined {
  if (!schema || !('$ref' in schema)) return schema;
  const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  return resolved(document, document.components?.schemas?.[name]);
}
