import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import { AUTOMATE_STRATEGY, USER_STRATEGY } from '../../common/auth/guards.js';
import type { Principal } from '../../common/auth/principal.js';
import { AuthService } from './auth.service.js';

/** `/user`: an API key or a session token. */
@Injectable()
export class UserBearerStrategy extends PassportStrategy(Strategy, USER_STRATEGY) {
  constructor(private readonly auth: AuthService) {
    super();
  }

  async validate(token: string): Promise<Principal | false> {
    return (await this.auth.authenticate(token)) ?? false;
  }
}

/** `/automate`: an API key alone. */
@Injectable()
export class AutomateBearerStrategy extends PassportStrategy(Strategy, AUTOMATE_STRATEGY) {
  constructor(private readonly auth: AuthService) {
    super();
  }

  async validate(token: string): Promise<Principal | false> {
    const caller = await this.auth.authenticate(token);
    return caller?.via === 'api-key' ? caller : false;
  }
}
