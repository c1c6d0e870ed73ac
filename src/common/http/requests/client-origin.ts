import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf } from '../../limits/subjects.js';

const MAX_USER_AGENT = 255;

/** Where a request comes from. */
export interface ClientOrigin {
  /** Of an IPv6 address its /64, which belongs to one caller. */
  readonly address: string;
  readonly userAgent: string | null;
}

/** Where the request of a route comes from. */
export const Origin = createParamDecorator((_data: unknown, context: ExecutionContext): ClientOrigin => {
  const request = context.switchToHttp().getRequest<Request>();
  const userAgent = request.get('user-agent')?.slice(0, MAX_USER_AGENT) ?? null;
  return { address: addressOf(request), userAgent };
});
