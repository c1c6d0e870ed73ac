import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Scope } from './scope.js';

/** Who calls, and by which token. */
export interface Principal {
  readonly userId: number;
  readonly via: 'api-key' | 'session';
  readonly tokenId: number;
  /** What the caller is limited to; without it, to nothing. */
  readonly scopes?: readonly Scope[];
  /** The person, where one works in an account that is not their own. */
  readonly memberId?: number;
  /** A key that pages publish: it authenticates no person. */
  readonly isPublishable?: boolean;
  /** Pages the key may be used from; without it, from anywhere. */
  readonly origins?: readonly string[];
}

/** What a guard has learned of a request from its token. */
export interface IdentifiedRequest extends Request {
  user?: Principal;
  /** The account of the publishable key that was sent: its page may reach what is the account's, as anybody. */
  publishableKeyOf?: number;
}

/** The caller of a guarded route. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): Principal => {
  const { user } = context.switchToHttp().getRequest<IdentifiedRequest>();
  if (!user) throw new Error('the route is not guarded, so it has no caller');
  return user;
});

/** The caller of a route that accepts requests without one; null without a caller. */
export const MaybeCaller = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal | null =>
    context.switchToHttp().getRequest<IdentifiedRequest>().user ?? null,
);
