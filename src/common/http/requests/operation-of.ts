import type { ExecutionContext } from '@nestjs/common';

/** Where the document of the API keeps the id of an operation. */
const OPERATION = 'swagger/apiOperation';

/** The operation that a request asks for, by its id in the OpenAPI document. */
export function operationOf(context: ExecutionContext): string {
  const handler = context.getHandler();
  const operation = Reflect.getMetadata(OPERATION, handler) as { operationId?: string } | undefined;
  return operation?.operationId ?? `${context.getClass().name}.${handler.name}`;
}
