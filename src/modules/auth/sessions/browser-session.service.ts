import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Principal } from '../../../common/auth/principal.js';
import { SessionCookieService } from '../../../common/auth/session-cookie.service.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import type { ClientOrigin } from '../../../common/http/requests/client-origin.js';
import { AuthService } from '../auth.service.js';
import type { BeginSessionRequest } from '../dto/auth.request.js';
import type { StartedSession } from './session-starter.service.js';

export interface SessionWish {
  /** Who a bearer token speaks for, where one is sent. */
  readonly caller: Principal | null;
  readonly body: BeginSessionRequest;
  readonly origin: ClientOrigin;
}

/** Begins and ends sessions that live in a cookie. */
@Injectable()
export class BrowserSessionService {
  constructor(
    private readonly auth: AuthService,
    private readonly cookies: SessionCookieService,
  ) {}

  /** @throws ForeignOriginError | ValidationFailedError | BadCredentialsError | UnauthorizedError | TooManyRequestsError */
  async begin(wish: SessionWish, request: Request, response: Response): Promise<StartedSession> {
    // A page of another site could log its reader in to an account of its own.
    this.cookies.checkOriginIfNamed(request);
    const session = await this.start(wish);
    this.cookies.set(request, response, session.token, session.expiresAt);
    return session;
  }

  /** By a link of the operator. @throws ForeignOriginError | PasswordLinkNotFoundError */
  async beginByLink(
    token: string,
    origin: ClientOrigin,
    request: Request,
    response: Response,
  ): Promise<StartedSession> {
    this.cookies.checkOriginIfNamed(request);
    const session = await this.auth.loginByLink(token, origin);
    this.cookies.set(request, response, session.token, session.expiresAt);
    return session;
  }

  /** @throws SessionRequiredError for a caller with a key */
  async end(caller: Principal, request: Request, response: Response): Promise<void> {
    await this.auth.logout(caller);
    this.cookies.clear(request, response);
  }

  private start({ caller, body: { email, password }, origin }: SessionWish): Promise<StartedSession> {
    if (email !== undefined && password !== undefined) return this.auth.login(email, password, origin);
    if (caller?.via === 'api-key') return this.auth.loginByKey(caller, origin);
    throw ValidationFailedError.of(email === undefined ? 'email' : 'password', 'validation.required');
  }
}
