import { Body, Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ForUser, MaybeUser } from '../../../common/auth/guards.js';
import { Caller, MaybeCaller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, MessageResponse } from '../../../common/http/api-docs.js';
import { type ClientOrigin, Origin } from '../../../common/http/requests/client-origin.js';
import { Unaudited } from '../../../common/http/unaudited.js';
import { done } from '../../../common/http/reply.js';
import { LimitCredentials } from '../../../common/limits/rate-limits.guard.js';
import { BrowserSessionService } from './browser-session.service.js';
import { BeginSessionRequest, SignInLinkRequest } from '../dto/auth.request.js';
import { RightsResponse, toRightsResponse } from '../dto/rights.response.js';
import { CookieSessionResponse, toCookieSessionResponse } from '../dto/session.response.js';

/** It is in the audit log of the person whose password was given, whatever token was sent as well. */
const isPasswordSignIn = ({ body }: Request) => {
  const { email, password } = (body ?? {}) as BeginSessionRequest;
  return email !== undefined && password !== undefined;
};

/** Sessions of browsers, whose token no script sees. */
@ApiTags('Sessions')
@Controller('auth/session')
export class BrowserSessionController {
  constructor(private readonly sessions: BrowserSessionService) {}

  @Get()
  @ForUser()
  @ApiOperation({
    operationId: 'getOwnRights',
    summary: 'What the caller may do',
    description:
      'For programs that offer a person no more than that. A new role shows with the next request.',
  })
  @ApiOk(RightsResponse)
  rights(@Caller() caller: Principal) {
    return toRightsResponse(caller);
  }

  @Post()
  @LimitCredentials()
  @MaybeUser()
  @Unaudited(isPasswordSignIn)
  @ApiOperation({
    operationId: 'beginBrowserSession',
    summary: 'Start the session of a browser, in a cookie',
    description:
      'With e-mail and password, or with an API key as bearer token: a session that was begun with a key ends with it. ' +
      'The cookie `prosa_session` (on https `__Host-prosa_session`) is accepted in place of a session token, and for requests of pages of this origin alone.',
  })
  @ApiOk(CookieSessionResponse)
  @ApiMessageErrors(403)
  async begin(
    @MaybeCaller() caller: Principal | null,
    @Body() body: BeginSessionRequest,
    @Origin() origin: ClientOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return toCookieSessionResponse(
      'auth.logged_in',
      await this.sessions.begin({ caller, body, origin }, request, response),
    );
  }

  @Post('link')
  @LimitCredentials()
  @ApiOperation({
    operationId: 'beginSessionByLink',
    summary: 'Start the session of a browser by a link of the operator',
    description: 'The link of `npm run account -- sign-in-link` is used up. It is valid for ten minutes.',
  })
  @ApiOk(CookieSessionResponse)
  @ApiMessageErrors(403, 404)
  async beginByLink(
    @Body() { token }: SignInLinkRequest,
    @Origin() origin: ClientOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return toCookieSessionResponse(
      'auth.logged_in',
      await this.sessions.beginByLink(token, origin, request, response),
    );
  }

  @Delete()
  @ForUser()
  @ApiOperation({
    operationId: 'endBrowserSession',
    summary: 'End the session of the cookie, and the cookie',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(400)
  async end(
    @Caller() caller: Principal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.sessions.end(caller, request, response);
    return done('auth.logged_out');
  }
}
