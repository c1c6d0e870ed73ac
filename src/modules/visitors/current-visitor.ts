import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import type { IdentifiedRequest } from '../../common/auth/principal.js';
import { addressOf } from '../../common/limits/subjects.js';
import type { Visitor } from './visitor.js';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';

/** Injects the {@link Visitor} of a route without a token. */
export const CurrentVisitor = createParamDecorator((_data: unknown, context: ExecutionContext): Visitor => {
  const http = context.switchToHttp();
  const request = http.getRequest<IdentifiedRequest>();
  const response = http.getResponse<Response>();
  return {
    callerId: request.user?.userId ?? null,
    keyAccountId: request.publishableKeyOf ?? null,
    address: addressOf(request),
    origin: request.headers.origin ?? null,
    showAnswerTo(origin) {
      response.vary('Origin');
      // Narrower than what the installation grants (CORS_ORIGINS), never wider.
      const granted = response.getHeader(ALLOW_ORIGIN);
      if (origin !== null && (granted === '*' || granted === origin))
        response.setHeader(ALLOW_ORIGIN, origin);
      else response.removeHeader(ALLOW_ORIGIN);
    },
  };
});
