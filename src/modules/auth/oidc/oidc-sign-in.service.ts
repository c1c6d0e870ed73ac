import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SessionCookieService } from '../../../common/auth/session-cookie.service.js';
import type { ClientOrigin } from '../../../common/http/requests/client-origin.js';
import { Logger } from '../../../common/observability/logger.js';
import { ServerConfig } from '../../../config/config.js';
import { publicOriginOf } from '../../../config/public-origin.js';
import { OidcError } from '../../../providers/oidc/oidc.errors.js';
import { OidcProvider } from '../../../providers/oidc/oidc-provider.js';
import { AuthService } from '../auth.service.js';
import type { StartedSession } from '../sessions/session-starter.service.js';
import { consolePathOf } from './console-path.js';
import { NoPendingLinkError, SignInRefusedError } from './oidc.errors.js';
import { OidcPeopleService } from './oidc-people.service.js';
import { SignInCookieService } from './sign-in-cookie.service.js';

const CALLBACK = '/api/auth/oidc/callback';

/** Signs people in through the identity provider. Each step answers with where the browser goes next. */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly provider: OidcProvider,
    private readonly people: OidcPeopleService,
    private readonly auth: AuthService,
    private readonly pending: SignInCookieService,
    private readonly sessions: SessionCookieService,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
  ) {}

  /** @param to where the person goes after the sign-in; anything but a path of the console is ignored */
  begin(to: string | undefined, request: Request, response: Response): Promise<string> {
    return this.orProblem(async () => {
      if (!this.provider.isConfigured) throw new SignInRefusedError('not-configured');
      const { url, ...checks } = await this.provider.begin(this.origin + CALLBACK);
      this.pending.set(request, response, { kind: 'started', to: consolePathOf(to), ...checks });
      return url;
    });
  }

  /** The provider has sent the person back. The browser gets a new session, whatever it had before. */
  finish(origin: ClientOrigin, request: Request, response: Response): Promise<string> {
    return this.orProblem(async () => {
      const started = this.pending.read(request, 'started');
      this.pending.clear(request, response);
      const callback = new URL(this.origin + CALLBACK);
      callback.search = new URL(request.originalUrl, this.origin).search;
      const states = callback.searchParams.getAll('state');
      if (!started || states.length !== 1 || states[0] !== started.state)
        throw new SignInRefusedError('state');
      const recognition = await this.people.recognise(await this.provider.finish(callback, started));
      if (!recognition.isConfirmed) {
        this.pending.set(request, response, { kind: 'unconfirmed', person: recognition.person });
        return `/app/link-account#${encodeURIComponent(recognition.person.email)}`;
      }
      this.enter(await this.auth.loginIdentified(recognition.person, origin), request, response);
      return started.to;
    });
  }

  /**
   * Links the existing e-mail of a person, who confirms it with its password, and signs in.
   *
   * @throws ForeignOriginError | NoPendingLinkError | BadCredentialsError | TooManyRequestsError
   */
  async link(
    password: string,
    origin: ClientOrigin,
    request: Request,
    response: Response,
  ): Promise<StartedSession> {
    this.sessions.checkOriginIfNamed(request);
    const unconfirmed = this.pending.read(request, 'unconfirmed') ?? NoPendingLinkError.throw();
    const { person } = unconfirmed;
    const started = await this.auth.confirmIdentified(person, password, origin, (tx) =>
      this.people.link(person, tx),
    );
    this.pending.clear(request, response);
    this.enter(started, request, response);
    return started;
  }

  private enter({ token, expiresAt }: StartedSession, request: Request, response: Response): void {
    this.sessions.set(request, response, token, expiresAt);
  }

  /** A problem is a page for a person, and never an error of the server. */
  private async orProblem(step: () => Promise<string>): Promise<string> {
    try {
      return await step();
    } catch (error) {
      if (error instanceof SignInRefusedError) return problemPage(error.problem);
      if (!(error instanceof OidcError)) throw error;
      this.logger.warn('sign-in through the identity provider failed', {
        failure: error.failure,
        err: error.cause,
      });
      return problemPage(error.failure);
    }
  }

  private get origin(): string {
    return publicOriginOf(this.server);
  }
}

function problemPage(problem: string): string {
  return `/app/sign-in?problem=${problem}`;
}
