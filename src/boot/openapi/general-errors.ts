import type {
  HeadersObject,
  OpenAPIObject,
  OperationObject,
  ReferenceObject,
  ResponseObject,
  SchemaObject,
} from '@nestjs/swagger';
import { errorBodyFor, languageOf, type RenderedError } from '../../common/errors/route-families.js';
import { render, text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import { operationsOf } from './operations.js';

type Schema = SchemaObject | ReferenceObject;

/** An error that does not come from the operation's own rules, but from the way to it. */
interface GeneralError {
  readonly status: number;
  readonly kind: RenderedError['kind'];
  readonly key: TextKey;
  readonly params?: TextParams;
  readonly description: string;
  readonly applies: (operation: OperationObject) => boolean;
  readonly headers?: HeadersObject;
  readonly retryAfterSeconds?: number;
}

const always = () => true;
const isGuarded = ({ security }: OperationObject) => (security ?? []).length > 0;
const hasParameter = ({ parameters = [] }: OperationObject, place: 'path' | 'query') =>
  parameters.some((each) => 'in' in each && each.in === place);
const takesIdempotencyKey = ({ parameters = [] }: OperationObject) =>
  parameters.some((each) => 'in' in each && each.in === 'header' && each.name === 'Idempotency-Key');
const RETRY_AFTER: HeadersObject = {
  'Retry-After': { description: 'Seconds until it is worth trying again', schema: { type: 'integer' } },
};

const EXAMPLE_WAIT_SECONDS = 30;

/** The body parser reads the body of any method, so what it refuses is refused everywhere. */
const GENERAL_ERRORS: readonly GeneralError[] = [
  {
    status: 400,
    kind: 'malformed',
    key: 'http.malformed_json',
    description: 'The body is not JSON, or the path is not percent-encoded text',
    applies: always,
  },
  {
    status: 401,
    kind: 'unauthorized',
    key: 'http.unauthorized',
    description: 'Missing or invalid token',
    applies: isGuarded,
  },
  {
    status: 403,
    kind: 'forbidden',
    key: 'http.missing_scope',
    // The operation's own, in its example.
    params: { scope: 'admin' },
    description: 'The key or the member may not do this, or the request comes from a page of another origin',
    applies: isGuarded,
  },
  {
    status: 404,
    kind: 'not-found',
    key: 'http.not_found',
    description: 'Missing, or belongs to another account',
    applies: (operation) => hasParameter(operation, 'path'),
  },
  {
    status: 408,
    kind: 'timeout',
    key: 'http.body_timeout',
    description: 'The body did not arrive in time',
    applies: always,
  },
  {
    status: 409,
    kind: 'conflict',
    key: 'idempotency.still_running',
    description: 'The first request with this Idempotency-Key has not ended',
    applies: takesIdempotencyKey,
    headers: RETRY_AFTER,
  },
  {
    status: 422,
    kind: 'invalid',
    key: 'idempotency.reused',
    description: 'Not valid, or this Idempotency-Key came first with another request',
    applies: takesIdempotencyKey,
  },
  {
    status: 413,
    kind: 'too-large',
    key: 'http.too_large',
    description: 'The body is larger than 1 MB',
    applies: always,
  },
  {
    status: 415,
    kind: 'unsupported-media',
    key: 'http.unsupported_media_type',
    description: 'The encoding or the character set of the body is not supported',
    applies: always,
  },
  {
    status: 429,
    kind: 'too-many',
    key: 'http.too_many_requests',
    params: { seconds: EXAMPLE_WAIT_SECONDS },
    retryAfterSeconds: EXAMPLE_WAIT_SECONDS,
    description: 'Too many requests; Retry-After says when to come back',
    applies: always,
    headers: RETRY_AFTER,
  },
  {
    status: 500,
    kind: 'internal',
    key: 'http.internal',
    params: { requestId: '0f4a4d1e-8c1b-4d3a-9a53-6f0f3c1f2b7e' },
    description: 'A fault; the text carries the id of the request and no detail',
    applies: always,
  },
  {
    status: 503,
    kind: 'unavailable',
    key: 'http.unavailable',
    description: 'The service stops, or something it needs does not answer',
    applies: always,
    headers: RETRY_AFTER,
  },
];

/** The error of this status that any route like this one may answer. */
export function generalErrorOf(operation: OperationObject, status: number): GeneralError | undefined {
  return GENERAL_ERRORS.find((error) => error.status === status && error.applies(operation));
}

const VALIDATION = { $ref: '#/components/schemas/ValidationErrorResponse' };

/**
 * Documents on every operation what any route may answer, in the shape its family of routes answers it. The bodies
 * are made by the function that makes them at run time, so that the two cannot drift apart.
 */
export function addGeneralErrors(document: OpenAPIObject): void {
  for (const { method, path, operation } of operationsOf(document)) {
    if (method === 'get') {
      operation.responses[304] ??= { description: 'The caller has it already, by its conditional request' };
    }
    // Before the others, so that it is the first alternative of a 422.
    const takesInput = operation.requestBody || hasParameter(operation, 'query');
    if (takesInput) addResponse(operation, 422, VALIDATION, { description: 'Not valid' });
    for (const error of GENERAL_ERRORS) {
      if (!error.applies(operation)) continue;
      const language = languageOf(path);
      const example = errorBodyFor(path, {
        kind: error.kind,
        message: render(text(error.key, error.params), language),
        retryAfterSeconds: error.retryAfterSeconds,
      });
      addResponse(operation, error.status, schemaOf(example), error);
    }
  }
}

/** The component that describes a body of these keys. */
function schemaOf(body: object): Schema {
  const keys = Object.keys(body).sort().join();
  const component = COMPONENT_OF_KEYS[keys];
  if (!component) throw new Error(`no schema describes an error body of ${keys}`);
  return { $ref: `#/components/schemas/${component}` };
}

const COMPONENT_OF_KEYS: Readonly<Record<string, string>> = {
  message: 'MessageResponse',
  error: 'ErrorResponse',
  'error,status': 'StatusErrorResponse',
  'message,success': 'RefusedResponse',
  'message,retry_after': 'TooManyRequestsResponse',
  'error,retry_after,status': 'StatusTooManyRequestsResponse',
};

function addResponse(
  operation: OperationObject,
  status: number,
  schema: Schema,
  { description, headers }: Pick<GeneralError, 'description' | 'headers'>,
): void {
  const own = operation.responses[status] as ResponseObject | undefined;
  const ownSchema = own?.content?.['application/json']?.schema;
  operation.responses[status] = {
    description: own?.description || description,
    ...(headers || own?.headers ? { headers: { ...headers, ...own?.headers } } : {}),
    content: { 'application/json': { schema: ownSchema ? eitherOf(ownSchema, schema) : schema } },
  };
}

function eitherOf(own: Schema, general: Schema): Schema {
  const known = 'anyOf' in own && own.anyOf ? own.anyOf : [own];
  const isSame = known.some((each) => JSON.stringify(each) === JSON.stringify(general));
  return isSame ? own : { anyOf: [...known, general] };
}
