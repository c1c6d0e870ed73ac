import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { ServerConfig } from '../../config/config.js';
import { ForeignOriginError } from '../errors/errors.js';
import { SESSION_COOKIE } from './session-cookie.js';

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
    response.cookie(SESSION_COOKIE, token, { ...this.optionsOf(request), expires });
  }

  clear(request: Request, response: Response): void {
    response.clearCookie(SESSION_COOKIE, this.optionsOf(request));
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

  private optionsOf(request: Request): CookieOptions {
    const secure = request.secure || (this.publicOrigin?.startsWith('https:') ?? false);
    return { httpOnly: true, sameSite: 'strict', path: '/api', secure };
  }
}
