import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { UnauthorizedError } from '../errors/errors.js';
import { Authenticator } from './authenticator.js';
import type { Principal } from './principal.js';

/**
 * Runs passport's bearer strategy. The strategy is made anew for each request and handed over, not registered by name:
 * passport writes the outcome's callbacks onto the object it is given, and its registry belongs to the whole process.
 */
@Injectable()
abstract class BearerGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Principal }>();
    const caller = await this.callerOf(request, http.getResponse<Response>());
    if (!caller || !this.admits(caller)) throw new UnauthorizedError();
    request.user = caller;
    return true;
  }

  protected admits(_caller: Principal): boolean {
    return true;
  }

  private callerOf(request: Request, response: Response): Promise<Principal | false | null> {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, caller?: Principal | false | null) =>
        error ? reject(error) : resolve(caller ?? null);
      const strategy = new Strategy((token, done) => {
        this.authenticator.authenticate(token).then(
          (caller) => done(null, caller ?? false),
          (error: unknown) => done(error),
        );
      });
      const run = passport.authenticate(strategy, { session: false }, settle) as (
        request: Request,
        response: Response,
        next: (error?: unknown) => void,
      ) => void;
      // The header alone: a field of that name in a body or query is no token, and must not confuse the one sent.
      const headersOnly = Object.create(request, {
        body: { value: undefined },
        query: { value: {} },
      }) as Request;
      run(headersOnly, response, (error) => settle(error));
    });
  }
}

@Injectable()
class UserGuard extends BearerGuard {}

@Injectable()
class AutomateGuard extends BearerGuard {
  protected override admits({ via }: Principal): boolean {
    return via === 'api-key';
  }
}

@Injectable()
class MaybeUserGuard extends BearerGuard {
  /** No token is fine; a token that is sent must be right. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    return headers.authorization === undefined || super.canActivate(context);
  }
}

/** Routes of `/user`: a persistent API key or a session token. */
export const ForUser = () => applyDecorators(UseGuards(UserGuard), ApiBearerAuth('user'));

/** Routes of `/automate`: an API key of the account. */
export const ForAutomate = () => applyDecorators(UseGuards(AutomateGuard), ApiBearerAuth('automate'));

/** Routes that know their caller when a token is sent, and do without otherwise. */
export const MaybeUser = () => applyDecorators(UseGuards(MaybeUserGuard), ApiBearerAuth('user'));
