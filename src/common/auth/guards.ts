import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import { ApiBearerAuth, ApiCookieAuth, ApiSecurity } from '@nestjs/swagger';
import type { Request } from 'express';
import type { StrategyCreatedStatic } from 'passport';
import { Strategy, type VerifyFunction } from 'passport-http-bearer';
import { KeyOriginError, MissingScopeError, UnauthorizedError } from '../errors/errors.js';
import { Authenticator } from './authenticator.js';
import type { IdentifiedRequest, Principal } from './principal.js';
import { scopeOfRoute } from './needs-scope.js';
import { mayDo, type Need, needOf } from './scopes.js';
import { sendsBearerToken } from './session-cookie.js';
import { SessionCookieService } from './session-cookie.service.js';

/**
 * Runs passport's bearer strategy as passport does: on an object made for the request, which takes the outcome. Passport
 * itself stays out of it, because it dresses each request for sessions and forms that no route of ours has. Nor is the
 * strategy registered: `@nestjs/passport` keeps one of each name for the whole process, with one request's callbacks on it.
 */
@Injectable()
abstract class BearerGuard implements CanActivate {
  private readonly strategy: Strategy<VerifyFunction>;

  constructor(protected readonly authenticator: Authenticator) {
    this.strategy = new Strategy((token, done) => {
      authenticator.authenticate(token).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error),
      );
    });
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<IdentifiedRequest>();
    const caller = await this.callerOf(request);
    if (!caller || !this.admits(caller)) throw new UnauthorizedError();
    checkOrigin(caller, request);
    if (this.isNobody(caller)) {
      request.publishableKeyOf = caller.userId;
      return true;
    }
    const need = needOfRoute(context, request);
    if (!mayDo(caller, need)) throw new MissingScopeError(need);
    request.user = caller;
    return true;
  }

  /** Whether the route is to be served as if no token had been sent. */
  protected isNobody(_caller: Principal): boolean {
    return false;
  }

  protected admits(_caller: Principal): boolean {
    return true;
  }

  protected callerOf({ headers }: Request): Promise<Principal | null> {
    return new Promise((resolve, reject) => {
      const outcomes: Pick<StrategyCreatedStatic, 'success' | 'fail' | 'error'> = {
        success: (caller) => resolve(caller as Principal),
        fail: () => resolve(null),
        error: reject,
      };
      const run = Object.assign(Object.create(this.strategy) as Strategy<VerifyFunction>, outcomes);
      // The header alone: a field of that name in a body or query is no token, and must not confuse the one sent.
      run.authenticate({ headers } as Request);
    });
  }
}

@Injectable()
class UserGuard extends BearerGuard {
  constructor(
    authenticator: Authenticator,
    private readonly cookies: SessionCookieService,
  ) {
    super(authenticator);
  }

  /** A bearer token wins, even a wrong one. The cookie of a session counts here and at no other guard. */
  protected override async callerOf(request: Request): Promise<Principal | null> {
    if (sendsBearerToken(request.headers)) return super.callerOf(request);
    const token = this.cookies.tokenOf(request);
    const caller = token === null ? null : await this.authenticator.authenticate(token);
    if (caller) this.cookies.checkOrigin(request);
    return caller;
  }
}

@Injectable()
class AutomateGuard extends BearerGuard {
  protected override admits({ via }: Principal): boolean {
    return via === 'api-key';
  }
}

@Injectable()
class MaybeUserGuard extends BearerGuard {
  /** No token is fine, nor is a header of another scheme; a bearer token that is sent must be right. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    return !sendsBearerToken(headers) || super.canActivate(context);
  }

  /** A key that everybody can read in a page may do what everybody may, and no more. */
  protected override isNobody({ isPublishable = false }: Principal): boolean {
    return isPublishable;
  }
}

@Injectable()
class VisitorGuard extends BearerGuard {
  /** Only a valid token with fewer rights than the route needs is refused; the route itself knows no caller. */
  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = sendsBearerToken(request.headers) ? await this.callerOf(request) : null;
    const need = needOfRoute(context, request);
    if (caller && !caller.isPublishable && !mayDo(caller, need)) throw new MissingScopeError(need);
    return true;
  }
}

/** @throws KeyOriginError */
function checkOrigin({ origins }: Principal, { headers }: Request): void {
  if (origins && !origins.includes(headers.origin ?? '')) throw new KeyOriginError();
}

function needOfRoute(context: ExecutionContext, request: Request): Need {
  return scopeOfRoute(context.getHandler(), context.getClass()) ?? needOf(request.method, routeOf(request));
}

/** The route as it was declared, `/api/user/tools/:id`. */
function routeOf({ route, path }: Request): string {
  const declared = (route as { readonly path?: unknown } | undefined)?.path;
  return typeof declared === 'string' ? declared : path;
}

/** Routes of `/user` and of one's own sessions: a persistent API key, a session token, or the cookie of a session. */
export const ForUser = () =>
  applyDecorators(UseGuards(UserGuard), ApiBearerAuth('user'), ApiCookieAuth('session'));

/** Routes of `/automate`: an API key of the account. */
export const ForAutomate = () => applyDecorators(UseGuards(AutomateGuard), ApiBearerAuth('automate'));

/** Routes that know their caller when a token is sent, and do without otherwise. */
export const MaybeUser = () =>
  applyDecorators(UseGuards(MaybeUserGuard), ApiSecurity({}), ApiBearerAuth('user'));

/**
 * Public routes that write: the id in the path is the capability, and no token is needed. A caller who sends a token of a viewer
 * or a key without the scope is refused all the same, so that such a token writes nowhere.
 */
export const ForVisitors = () => UseGuards(VisitorGuard);
