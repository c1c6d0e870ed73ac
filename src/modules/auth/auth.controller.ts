import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiBody200, ApiInvalid, ApiMessageErrors, MessageResponse } from '../../common/http/api-docs.js';
import { done } from '../../common/http/reply.js';
import { LimitCredentials } from '../../common/limits/rate-limits.guard.js';
import { AuthService } from './auth.service.js';
import { LoginRequest, RegisterRequest } from './dto/auth.request.js';
import { SessionResponse, toSessionResponse } from './dto/session.response.js';

@ApiTags('Sessions')
@Controller('auth')
export class AuthController {
  constructor(private readonly auth: AuthService) {}

  @Post('register')
  @HttpCode(201)
  @LimitCredentials()
  @ApiOperation({ operationId: 'register', summary: 'Open an account, where registration is open' })
  @ApiBody200(SessionResponse, { status: 201 })
  @ApiMessageErrors(403)
  @ApiInvalid()
  async register(@Body() body: RegisterRequest) {
    return toSessionResponse('auth.registered', await this.auth.register(body));
  }

  @Post('login')
  @HttpCode(200)
  @LimitCredentials()
  @ApiOperation({ operationId: 'login', summary: 'Start a session' })
  @ApiBody200(SessionResponse)
  @ApiMessageErrors(401)
  @ApiInvalid()
  async login(@Body() { email, password }: LoginRequest) {
    return toSessionResponse('auth.logged_in', await this.auth.login(email, password));
  }

  @Post('logout')
  @HttpCode(200)
  @ForUser()
  @ApiOperation({ operationId: 'logout', summary: 'End the session of the token' })
  @ApiBody200(MessageResponse)
  @ApiMessageErrors(400, 401)
  async logout(@Caller() caller: Principal) {
    await this.auth.logout(caller);
    return done('auth.logged_out');
  }
}
