import { Body, Controller, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, MessageResponse } from '../../common/http/api-docs.js';
import { type ClientOrigin, Origin } from '../../common/http/requests/client-origin.js';
import { done } from '../../common/http/reply.js';
import { LimitCredentials } from '../../common/limits/rate-limits.guard.js';
import { AuthService } from './auth.service.js';
import {
  ChangePasswordRequest,
  JoinRequest,
  LoginRequest,
  RegisterRequest,
  ResetPasswordRequest,
} from './dto/auth.request.js';
import { SessionResponse, toSessionResponse } from './dto/session.response.js';
import { PasswordsService } from './passwords/passwords.service.js';

@ApiTags('Sessions')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly passwords: PasswordsService,
  ) {}

  @Post('register')
  @LimitCredentials()
  @ApiOperation({ operationId: 'register', summary: 'Open an account, where registration is open' })
  @ApiOk(SessionResponse, { status: 201 })
  @ApiMessageErrors(403)
  async register(@Body() body: RegisterRequest, @Origin() origin: ClientOrigin) {
    return toSessionResponse('auth.registered', await this.auth.register(body, origin));
  }

  @Post('join')
  @LimitCredentials()
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation, as a member with a password of one’s own',
    description:
      'The invitation is used up, and a session begins. The name and the password are those of the person.',
  })
  @ApiOk(SessionResponse, { status: 201 })
  @ApiMessageErrors(403, 404)
  async join(@Body() body: JoinRequest, @Origin() origin: ClientOrigin) {
    return toSessionResponse('members.joined', await this.auth.join(body, origin));
  }

  @Post('login')
  @LimitCredentials()
  @ApiOperation({ operationId: 'login', summary: 'Start a session' })
  @ApiOk(SessionResponse)
  @ApiMessageErrors(401, 403)
  async login(@Body() { email, password }: LoginRequest, @Origin() origin: ClientOrigin) {
    return toSessionResponse('auth.logged_in', await this.auth.login(email, password, origin));
  }

  @Post('logout')
  @ForUser()
  @ApiOperation({ operationId: 'logout', summary: 'End the session of the token' })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(400)
  async logout(@Caller() caller: Principal) {
    await this.auth.logout(caller);
    return done('auth.logged_out');
  }

  @Post('password/reset')
  @LimitCredentials()
  @ApiOperation({
    operationId: 'resetPassword',
    summary: 'Set a new password by a link, without the old one',
    description:
      'The link, which an owner or the operator of the installation makes, is used up. All sessions of the person end, and ' +
      'a new one begins. API keys stay.',
  })
  @ApiOk(SessionResponse)
  @ApiMessageErrors(403, 404)
  async resetPassword(@Body() body: ResetPasswordRequest, @Origin() origin: ClientOrigin) {
    return toSessionResponse('auth.password_reset', await this.auth.resetPassword(body, origin));
  }

  @Put('password')
  @ForUser()
  @LimitCredentials()
  @ApiOperation({
    operationId: 'changePassword',
    summary: 'Change the password; all other sessions end, API keys stay',
  })
  @ApiOk(MessageResponse)
  async changePassword(@Caller() caller: Principal, @Body() body: ChangePasswordRequest) {
    await this.passwords.change(caller, body.current_password, body.password);
    return done('auth.password_changed');
  }
}
