import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { addressOf, networkOf } from '../../limits/subjects.js';
import { operationOf } from './operation-of.js';

const MAX_USER_AGENT = 255;

/** Where a request comes from, and what it asks for. */
export interface ClientOrigin {
  /** Of an IPv6 address its /64, which belongs to one caller. */
  readonly address: string;
  /** Without the part of the address that names one machine. */
  readonly network: string;
  readonly userAgent: string | null;
  /** By its id in the OpenAPI document. */
  readonly operation: string;
}

/** Where the request of a route comes from. */
export const Origin = createParamDecorator((_data: unknown, context: ExecutionContext): ClientOrigin => {
  const request = context.switchToHttp().getRequest<Request>();
  const userAgent = request.get('user-agent')?.slice(0, MAX_USER_AGENT) ?? null;
  return {
    address: addressOf(request),
    network: networkOf(request),
    userAgent,
    operation: operationOf(context),
  };
});
