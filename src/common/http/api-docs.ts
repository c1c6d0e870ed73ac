import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, ApiResponse, getSchemaPath } from '@nestjs/swagger';

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
  @ApiProperty({ enum: [false] })
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

  @ApiProperty({ enum: [false] })
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
  })
  declare errors: Record<string, string[]>;
}

type Model = Type<unknown>;

/** A success whose body is the class itself. */
export function ApiBody200(
  model: Model,
  options: { status?: number; isArray?: boolean } = {},
): MethodDecorator {
  return ApiResponse({
    status: options.status ?? 200,
    type: model,
    isArray: options.isArray ?? false,
    description: 'Success',
  });
}

/** A success that comes whole as JSON, or as server-sent events while it is made. */
export function ApiAnswerOrEvents(model: Model): MethodDecorator {
  return applyDecorators(
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

/** `{message, data}`. */
export function ApiReply(model: Model, status: 200 | 201 | 202 = 200): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status,
      description: 'Success',
      schema: {
        type: 'object',
        required: ['message', 'data'],
        properties: { message: { type: 'string' }, data: { $ref: getSchemaPath(model) } },
      },
    }),
  );
}

/** `{data: {...}}`. */
export function ApiData(model: Model): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status: 200,
      description: 'Success',
      schema: { type: 'object', required: ['data'], properties: { data: { $ref: getSchemaPath(model) } } },
    }),
  );
}

/** `{data: [...]}`. */
export function ApiDataList(model: Model): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status: 200,
      description: 'Success',
      schema: {
        type: 'object',
        required: ['data'],
        properties: { data: { type: 'array', items: { $ref: getSchemaPath(model) } } },
      },
    }),
  );
}

const nullableUri = { type: 'string', format: 'uri', nullable: true };

/** The page object of the customer's document. */
export function ApiPage(model: Model): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(model),
    ApiResponse({
      status: 200,
      description: 'One page',
      schema: {
        type: 'object',
        required: [
          'current_page',
          'data',
          'first_page_url',
          'from',
          'last_page',
          'last_page_url',
          'links',
          'next_page_url',
          'path',
          'per_page',
          'prev_page_url',
          'to',
          'total',
        ],
        properties: {
          current_page: { type: 'integer' },
          data: { type: 'array', items: { $ref: getSchemaPath(model) } },
          first_page_url: { type: 'string' },
          from: { type: 'integer', nullable: true },
          last_page: { type: 'integer' },
          last_page_url: { type: 'string' },
          links: {
            type: 'array',
            items: {
              type: 'object',
              required: ['url', 'label', 'active'],
              properties: { url: nullableUri, label: { type: 'string' }, active: { type: 'boolean' } },
            },
          },
          next_page_url: nullableUri,
          path: { type: 'string' },
          per_page: { type: 'integer' },
          prev_page_url: nullableUri,
          to: { type: 'integer', nullable: true },
          total: { type: 'integer' },
        },
      },
    }),
  );
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
export const ApiErrorErrors = errors(ErrorResponse);
/** Errors in the shape `{status: false, error}`. */
export const ApiStatusErrors = errors(StatusErrorResponse);
/** 422 with texts per field. */
export const ApiInvalid = () => errors(ValidationErrorResponse)(422);
