import type {
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Schema = SchemaObject | ReferenceObject;
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

const METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete'];

/** One operation of the document, with what it takes to recognise its requests. */
export interface DocumentedRoute {
  readonly method: Method;
  /** As in the document: `/api/user/tools/{id}`. */
  readonly path: string;
  readonly operation: OperationObject;
}

/** What came back, as far as the document speaks about it. */
export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** Every operation, with the responses that it shares with others in their place. */
export function routesOf({ paths, components }: OpenAPIObject): DocumentedRoute[] {
  const shared = components?.responses ?? {};
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, operation]) => ({
        method: method as Method,
        path,
        operation: withResponses(operation as OperationObject, shared),
      })),
  );
}

function withResponses(
  operation: OperationObject,
  shared: Readonly<Record<string, ResponseObject | ReferenceObject>>,
): OperationObject {
  const responses = Object.entries(operation.responses).map(([status, response]) => [
    status,
    response && '$ref' in response ? shared[nameOf(response)] : response,
  ]);
  return { ...operation, responses: Object.fromEntries(responses) as OperationObject['responses'] };
}

function nameOf({ $ref }: ReferenceObject): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}

/**
 * Holds answers against the OpenAPI document: the status must be documented for the operation, and the body must fit
 * its schema. Fields the document does not name are refused, so that nothing is answered undocumented.
 */
export class ContractCheck {
  readonly routes: readonly DocumentedRoute[];
  private readonly matchers: readonly { route: DocumentedRoute; pattern: RegExp }[];
  private readonly ajv = addFormats.default(new Ajv({ strict: false, allErrors: true }));
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(private readonly document: OpenAPIObject) {
    this.routes = routesOf(document);
    // Fixed segments win over parameters, as they do in the router.
    this.matchers = this.routes
      .map((route) => ({ route, pattern: patternOf(route.path) }))
      .sort((a, b) => a.route.path.split('{').length - b.route.path.split('{').length);
    this.ajv.addSchema({
      $id: 'document',
      components: { schemas: closedAll(document.components?.schemas ?? {}) },
    });
  }

  /** The documented operation a request goes to; undefined for what is no documented route. */
  routeOf(method: string, url: string): DocumentedRoute | undefined {
    // As it was sent: a URL parser would follow `%2e%2e`, which the router does not.
    const [pathname = ''] = url.split('?');
    const wanted = method.toLowerCase();
    return this.matchers.find(({ route, pattern }) => route.method === wanted && pattern.test(pathname))
      ?.route;
  }

  /** What is wrong with an answer; null when it is as documented. */
  problemOf(method: string, url: string, answer: Answer): string | null {
    const route = this.routeOf(method, url);
    if (!route)
      return answer.status === 404 ? null : `${method} ${url} answers ${answer.status}, undocumented`;
    const name = `${method} ${route.path} (${answer.status})`;
    const response = route.operation.responses[answer.status] as ResponseObject | undefined;
    if (!response) return `${name}: the status is not documented. Body: ${answer.text.slice(0, 500)}`;
    return this.bodyProblemOf(name, response, answer);
  }

  /** Whether a value fits a schema of the document, and why not. */
  mismatchOf(schema: Schema, value: unknown): string | null {
    const validate = this.validatorOf(schema);
    return validate(value) ? null : this.ajv.errorsText(validate.errors, { separator: '; ' });
  }

  /** The schema a reference of the document names. */
  resolve({ $ref }: ReferenceObject): SchemaObject {
    const schema = this.document.components?.schemas?.[nameOf({ $ref })];
    if (!schema) throw new Error(`the document does not hold ${$ref}`);
    return '$ref' in schema ? this.resolve(schema) : schema;
  }

  private bodyProblemOf(name: string, response: ResponseObject, answer: Answer): string | null {
    const { content } = response;
    if (!content)
      return answer.text === '' ? null : `${name}: no body is documented. Body: ${answer.text.slice(0, 500)}`;
    const type = (answer.contentType.split(';')[0] ?? '').trim();
    const media = content[type];
    if (!media) return `${name}: content type ${type || 'none'} is not documented`;
    if (type !== 'application/json' || !media.schema) return null;
    const mismatch = this.mismatchOf(media.schema, JSON.parse(answer.text));
    return mismatch && `${name}: ${mismatch}. Body: ${answer.text.slice(0, 500)}`;
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const known = this.validators.get(schema);
    if (known) return known;
    const validator = this.ajv.compile(closed(schema));
    this.validators.set(schema, validator);
    return validator;
  }
}

function patternOf(path: string): RegExp {
  const source = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+');
  // The router cares neither for case nor for a slash at the end.
  return new RegExp(`^${source}/?$`, 'i');
}

function closedAll(schemas: Readonly<Record<string, Schema>>): Record<string, object> {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]));
}

/** The schema as JSON Schema: the words of OpenAPI left out, and objects closed to what they do not name. */
function closed(schema: Schema): object {
  if ('$ref' in schema) return { $ref: `document${schema.$ref}` };
  const { example: _example, properties, items, allOf, anyOf, oneOf, ...rest } = schema;
  const { discriminator: _discriminator, ...own } = rest;
  const list = (schemas: Schema[] | undefined, key: string) =>
    schemas ? { [key]: schemas.map((each) => closed(each)) } : {};
  const isClosed =
    [own.type].flat().includes('object') &&
    properties !== undefined &&
    own.additionalProperties === undefined;
  const result = {
    ...own,
    ...(properties ? { properties: closedAll(properties) } : {}),
    ...(isClosed ? { additionalProperties: false } : {}),
    ...(typeof own.additionalProperties === 'object'
      ? { additionalProperties: closed(own.additionalProperties) }
      : {}),
    ...(items ? { items: closed(items) } : {}),
    ...list(allOf, 'allOf'),
    ...list(anyOf, 'anyOf'),
    ...list(oneOf, 'oneOf'),
  };
  return result;
}
