import { Body, Controller, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiMessageErrors, ApiOk } from '../../../common/http/api-docs.js';
import { type ClientOrigin, Origin } from '../../../common/http/requests/client-origin.js';
import { LimitCredentials } from '../../../common/limits/rate-limits.guard.js';
import { ConfirmPasswordRequest, OidcStartQuery } from '../dto/oidc.request.js';
import { CookieSessionResponse, toCookieSessionResponse } from '../dto/session.response.js';
import { OidcSignInService } from './oidc-sign-in.service.js';

const Redirects = (description: string) => ApiResponse({ status: 302, description });

/** Sign-in of browsers through an identity provider (OpenID Connect). */
@ApiTags('Sessions')
@Controller('auth/oidc')
export class OidcController {
  constructor(private readonly signIn: OidcSignInService) {}

  @Get()
  @LimitCredentials()
  @ApiOperation({
    operationId: 'beginOidcSignIn',
    summary: 'Sign in through the identity provider',
    description: 'For browsers: leads to the provider, or to the sign-in page with a problem.',
  })
  @Redirects('To the identity provider, or to the sign-in page')
  async begin(@Query() { to }: OidcStartQuery, @Req() request: Request, @Res() response: Response) {
    leadTo(response, await this.signIn.begin(to, request, response));
  }

  @Get('callback')
  @LimitCredentials()
  @ApiOperation({
    operationId: 'finishOidcSignIn',
    summary: 'Where the identity provider sends people back',
    description: 'Register this address at the provider. The browser gets the cookie of a new session.',
  })
  @Redirects('To the console, to the confirmation of an existing e-mail, or to the sign-in page')
  async finish(@Origin() origin: ClientOrigin, @Req() request: Request, @Res() response: Response) {
    leadTo(response, await this.signIn.finish(origin, request, response));
  }

  @Post('link')
  @LimitCredentials()
  @ApiOperation({
    operationId: 'confirmOidcLink',
    summary: 'Link an existing e-mail to the identity provider, with its password',
    description:
      'For the browser in which the sign-in was begun, within ten minutes. It gets the cookie of a new session.',
  })
  @ApiOk(CookieSessionResponse)
  @ApiMessageErrors(401, 403, 404)
  async link(
    @Body() { password }: ConfirmPasswordRequest,
    @Origin() origin: ClientOrigin,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return toCookieSessionResponse(
      'auth.logged_in',
      await this.signIn.link(password, origin, request, response),
    );
  }
}

/** Without a body, which would repeat what the address has. */
function leadTo(response: Response, url: string): void {
  response.status(302).location(url).end();
}
