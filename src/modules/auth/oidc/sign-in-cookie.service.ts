import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { cookieOf } from '../../../common/auth/session-cookie.js';
import { SessionCookieService } from '../../../common/auth/session-cookie.service.js';
import { SecretBox, SecretUnreadableError } from '../../../common/crypto/secret-box.js';
import type { OidcChecks } from '../../../providers/oidc/oidc-provider.js';
import type { ProvenPerson } from './oidc-people.service.js';

/** A sign-in for which the person is at the provider. */
export interface StartedSignIn extends OidcChecks {
  readonly kind: 'started';
  /** A path of the console. */
  readonly to: string;
}

/** A person whom the provider has identified, and who is to confirm an existing e-mail with its password. */
export interface UnconfirmedSignIn {
  readonly kind: 'unconfirmed';
  readonly person: ProvenPerson;
}

type PendingSignIn = StartedSignIn | UnconfirmedSignIn;

const NAME = 'prosa_sign_in';
const HOST_NAME = `__Host-${NAME}`;
const PLAIN_PATH = '/api/auth/oidc';
const LIFE_MS = 600_000;
const PLACE = { userId: 0, column: 'cookies.sign_in', rowId: 'pending' };

/**
 * Keeps a sign-in in the browser that began it. Sealed, so that it cannot be made or read by others. It is `lax`, because
 * the provider's page leads the person back; the cookie of the session stays `strict`.
 */
@Injectable()
export class SignInCookieService {
  constructor(
    private readonly secrets: SecretBox,
    private readonly sessions: SessionCookieService,
  ) {}

  set(request: Request, response: Response, pending: PendingSignIn): void {
    const expiresAt = Date.now() + LIFE_MS;
    const sealed = this.secrets.seal(JSON.stringify({ ...pending, expiresAt }), PLACE);
    const { name, options } = this.formOf(request);
    response.cookie(name, sealed, { ...options, maxAge: LIFE_MS });
  }

  clear(request: Request, response: Response): void {
    const { name, options } = this.formOf(request);
    response.clearCookie(name, options);
  }

  /** Null where this browser began none, or too long ago. */
  read<Kind extends PendingSignIn['kind']>(
    request: Request,
    kind: Kind,
  ): Extract<PendingSignIn, { readonly kind: Kind }> | null {
    const sealed = cookieOf(this.formOf(request).name, request.headers);
    const pending = sealed === null ? null : this.open(sealed);
    return pending?.kind === kind ? (pending as Extract<PendingSignIn, { readonly kind: Kind }>) : null;
  }

  private open(sealed: string): PendingSignIn | null {
    try {
      const opened = JSON.parse(this.secrets.open(sealed, PLACE)) as PendingSignIn & {
        readonly expiresAt: number;
      };
      return opened.expiresAt > Date.now() ? opened : null;
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }

  private formOf(request: Request): { readonly name: string; readonly options: CookieOptions } {
    const isSecure = this.sessions.isSecure(request);
    return {
      name: isSecure ? HOST_NAME : NAME,
      options: {
        httpOnly: true,
        sameSite: 'lax',
        secure: isSecure,
        path: isSecure ? '/' : PLAIN_PATH,
      },
    };
  }
}
