import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';

/** Of this server, as the caller wrote it, where that is an address at all. */
export function originOf(request: Request): string {
  const origin = `${request.protocol}://${request.get('host') ?? ''}`;
  return /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
}

/** Injects the origin of this server, as the caller wrote it. */
export const CurrentOrigin = createParamDecorator((_data: unknown, context: ExecutionContext): string =>
  originOf(context.switchToHttp().getRequest<Request>()),
);
