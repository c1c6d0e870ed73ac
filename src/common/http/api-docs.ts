import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath, type SchemaObject } from '@nestjs/swagger';
import { namedSchema } from './named-schema.js';

/** `{message}`: not found, refused, and most other errors; also the answer of a plain write. */
export class MessageResponse {
  @ApiProperty({ description: 'Text for people', example: 'Operação realizada com sucesso' })
  declare message: string;
}

/** `{error}`: the error body of phone numbers and knowledge bases. */
export class ErrorResponse {
  @ApiProperty({ description: 'Text for people', example: 'Número de telefone não encontrado' })
  declare error: string;
}

/** `{status: false, error}`: the error body of conversations. */
export class StatusErrorResponse {
  @ApiProperty({ enum: [false], description: 'Always false in an error' })
  declare status: false;

  @ApiProperty({ description: 'Text for people', example: 'Conversation not found' })
  declare error: string;
}

/** `{message, retry_after}`: too many requests. */
export class TooManyRequestsResponse extends MessageResponse {
  @ApiProperty({ type: 'integer', description: 'Seconds until it is worth trying again', example: 30 })
  declare retry_after: number;
}

/** `{status: false, error, retry_after}`: too many requests of a conversation. */
export class StatusTooManyRequestsResponse extends StatusErrorResponse {
  @ApiProperty({ type: 'integer', description: 'Seconds until it is worth trying again', example: 30 })
  declare retry_after: number;
}

/** `{message, success: false}`: the error body of starting and stopping campaigns. */
export class RefusedResponse {
  @ApiProperty({ description: 'Text for people', example: 'Campanha não encontrada' })
  declare message: string;

  @ApiProperty({ enum: [false], description: 'Whether it was done' })
  declare success: false;
}

/** Validation failure: texts per field; nested fields as `schema.0.name`. */
export class ValidationErrorResponse {
  @ApiProperty({
    description: 'The first text, and how many more there are',
    example: 'O campo name é obrigatório.',
  })
  declare message: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    example: { name: ['O campo name é obrigatório.'] },
    description: 'Texts by field; nested fields as `schema.0.name`',
  })
  declare errors: Record<string, string[]>;
}

type Model = Type<unknown>;

/** A success whose body is the class itself. Like the other decorators of a success, it sets the status of the answer. */
export function ApiOk(
  model: Model,
  { status = 200, isArray = false }: { status?: number; isArray?: boolean } = {},
): MethodDecorator {
  return applyDecorators(
    HttpCode(status),
    ApiResponse({ status, type: model, isArray, description: 'Success' }),
  );
}

/** A success that comes whole as JSON, or as server-sent events while it is made. */
export function ApiAnswerOrEvents(model: Model): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiExtraModels(model),
    ApiResponse({
      status: 200,
      description: 'Success',
      content: {
        'application/json': { schema: { $ref: getSchemaPath(model) } },
        'text/event-stream': {
          schema: { type: 'string' },
          example: 'event: token\ndata: {"delta":"Olá"}\n\n',
        },
      },
    }),
  );
}

/** Server-sent events alone; each event's data is like the example. */
export function ApiEvents(example: string): MethodDecorator {
  const content = { 'text/event-stream': { schema: { type: 'string' }, example: `data: ${example}\n\n` } };
  return ApiResponse({ status: 200, description: 'Events', content });
}

/** What the components of a model are named after: `Tool` for `ToolResponse`. */
const baseOf = (model: Model) => model.name.replace(/Response$/, '');
const refTo = (model: Model) => ({ $ref: getSchemaPath(model) });
const listOf = (model: Model, description: string): SchemaObject => ({
  type: 'array',
  items: refTo(model),
  description,
});

function success(
  model: Model,
  schema: SchemaObject,
  { status = 200, description = 'Success' }: { status?: number; description?: string } = {},
): MethodDecorator {
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(model),
    ApiResponse({ status, description, schema }),
  );
}

/** An object whose properties are all there. */
function objectOf(name: string, properties: Record<string, SchemaObject | { $ref: string }>): SchemaObject {
  return namedSchema(name, { type: 'object', required: Object.keys(properties), properties });
}

/** `{message, data}`. */
export function ApiReply(model: Model, status: 200 | 201 | 202 = 200): MethodDecorator {
  const message: SchemaObject = {
    type: 'string',
    description: 'Text for people',
    example: 'Operação realizada com sucesso',
  };
  return success(model, objectOf(`${baseOf(model)}Reply`, { message, data: refTo(model) }), { status });
}

/** `{data: {...}}`. */
export function ApiData(model: Model): MethodDecorator {
  return success(model, objectOf(`${baseOf(model)}Data`, { data: refTo(model) }));
}

/** `{data: [...]}`. */
export function ApiDataList(model: Model): MethodDecorator {
  return success(model, objectOf(`${baseOf(model)}ListData`, { data: listOf(model, 'All of them') }));
}

const uri = (description: string): SchemaObject => ({
  type: 'string',
  description,
  example: 'https://example.com/api/user/calls?page=1',
});
const nullableUri = (description: string): SchemaObject => ({
  type: 'string',
  format: 'uri',
  nullable: true,
  description,
});
const integer = (description: string): SchemaObject => ({ type: 'integer', description });

const PAGE_LINK = objectOf('PageLink', {
  url: nullableUri('Address of the page; null for a gap, and for a page that does not exist'),
  label: { type: 'string', description: 'Number of the page, or an arrow in HTML', example: '1' },
  active: { type: 'boolean', description: 'Whether this is the current page' },
});

/** The page object of the customer's document. */
export function ApiPage(model: Model): MethodDecorator {
  const schema = objectOf(`${baseOf(model)}Page`, {
    current_page: integer('Number of this page, from 1'),
    data: listOf(model, 'The rows of this page'),
    first_page_url: uri('Address of the first page'),
    from: { ...integer('Number of the first row of this page; null on an empty page'), nullable: true },
    last_page: integer('Number of the last page'),
    last_page_url: uri('Address of the last page'),
    links: { type: 'array', items: PAGE_LINK, description: 'Pages around this one' },
    next_page_url: nullableUri('Address of the next page; null on the last one'),
    path: uri('Address of the list'),
    per_page: integer('Rows of a page'),
    prev_page_url: nullableUri('Address of the page before; null on the first one'),
    to: { ...integer('Number of the last row of this page; null on an empty page'), nullable: true },
    total: integer('Rows of all pages'),
  });
  return success(model, schema, { description: 'One page' });
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'Refused: the text says why',
  401: 'Missing or invalid token',
  402: 'The balance does not cover the price',
  403: 'Not allowed',
  404: 'Missing, or belongs to another account',
  406: 'Accept must admit application/json',
  409: 'Conflicts with what exists',
  413: 'Larger than the route takes',
  415: 'Content-Type is not one that the route takes',
  422: 'Not valid',
  429: 'Too many requests; Retry-After says when to come back',
};

const errors =
  (model: Model) =>
  (...statuses: number[]): MethodDecorator =>
    applyDecorators(
      ...statuses.map((status) =>
        ApiResponse({ status, type: model, description: DESCRIPTIONS[status] ?? 'Error' }),
      ),
    );

/** Errors in the shape `{message}`. A 422 may then be this or the validation body, which every route with input has. */
export const ApiMessageErrors = errors(MessageResponse);
/** Errors in the shape `{error}`. */
export const ApiErrorBody = errors(ErrorResponse);
/** Errors in the shape `{status: false, error}`. */
export const ApiStatusErrors = errors(StatusErrorResponse);
/** 422 with texts per field. Every route with a body or a query has it without this decorator. */
export const ApiInvalid = () => errors(ValidationErrorResponse)(422);
