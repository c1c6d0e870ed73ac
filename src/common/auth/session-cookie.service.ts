import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { ServerConfig } from '../../config/config.js';
import { ForeignOriginError } from '../errors/errors.js';
import { HOST_SESSION_COOKIE, SESSION_COOKIE, sessionCookieOf } from './session-cookie.js';

/** Browsers want the path / for names with `__Host-`; the plain cookie is for the API alone. */
const PLAIN_PATH = '/api';
const OPTIONS = { httpOnly: true, sameSite: 'strict' } satisfies CookieOptions;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The cookie of a browser's session. Scripts cannot read it, and a browser sends it from pages of our own site alone.
 * A site is wider than an origin (other ports and subdomains belong to it), so the origin of a request is checked too.
 */
@Injectable()
export class SessionCookieService {
  private readonly publicOrigin: string | null;

  constructor({ publicUrl }: ServerConfig) {
    this.publicOrigin = publicUrl === undefined ? null : new URL(publicUrl).origin;
  }

  set(request: Request, response: Response, token: string, expires: Date): void {
    if (this.isSecure(request)) {
      response.cookie(HOST_SESSION_COOKIE, token, { ...OPTIONS, path: '/', secure: true, expires });
    } else response.cookie(SESSION_COOKIE, token, { ...OPTIONS, path: PLAIN_PATH, expires });
  }

  clear(request: Request, response: Response): void {
    if (this.isSecure(request)) {
      response.clearCookie(HOST_SESSION_COOKIE, { ...OPTIONS, path: '/', secure: true });
    } else response.clearCookie(SESSION_COOKIE, { ...OPTIONS, path: PLAIN_PATH });
  }

  /** The session token that a request sends as a cookie; null where none counts. */
  tokenOf(request: Request): string | null {
    return sessionCookieOf(request.headers, this.isSecure(request));
  }

  /**
   * For a request that a cookie speaks for. A browser names the origin of everything but plain reads of its own page.
   *
   * @throws ForeignOriginError
   */
  checkOrigin(request: Request): void {
    if (request.headers.origin === undefined && SAFE_METHODS.has(request.method)) return;
    if (!this.isOwnPage(request)) throw new ForeignOriginError();
  }

  /** For a request that is to begin a session; what is no browser names no origin. @throws ForeignOriginError */
  checkOriginIfNamed(request: Request): void {
    if (request.headers.origin !== undefined && !this.isOwnPage(request)) throw new ForeignOriginError();
  }

  /** Behind a proxy the scheme is not known for sure, so it is compared with PUBLIC_URL alone. */
  private isOwnPage(request: Request): boolean {
    const { origin } = request.headers;
    if (origin === undefined || !URL.canParse(origin)) return false;
    return origin === this.publicOrigin || new URL(origin).host === request.host;
  }

  isSecure(request: Request): boolean {
    return request.secure || (this.publicOrigin?.startsWith('https:') ?? false);
  }
}
