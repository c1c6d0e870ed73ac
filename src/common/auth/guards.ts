import { applyDecorators, Injectable, UseGuards } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { ApiBearerAuth } from '@nestjs/swagger';
import { UnauthorizedError } from '../errors/errors.js';

/** Names under which the auth module registers its bearer strategies. */
export const USER_STRATEGY = 'user-bearer';
export const AUTOMATE_STRATEGY = 'automate-bearer';

const callerOrRefuse = <T>(error: unknown, caller: T | false | undefined): T => {
  if (error) throw error;
  if (!caller) throw new UnauthorizedError();
  return caller;
};

@Injectable()
class UserGuard extends AuthGuard(USER_STRATEGY) {
  override handleRequest<T>(error: unknown, caller: T | false | undefined): T {
    return callerOrRefuse(error, caller);
  }
}

@Injectable()
class AutomateGuard extends AuthGuard(AUTOMATE_STRATEGY) {
  override handleRequest<T>(error: unknown, caller: T | false | undefined): T {
    return callerOrRefuse(error, caller);
  }
}

/** Routes of `/user`: a persistent API key or a session token. */
export const ForUser = () => applyDecorators(UseGuards(UserGuard), ApiBearerAuth('user'));

/** Routes of `/automate`: an API key of the account. */
export const ForAutomate = () => applyDecorators(UseGuards(AutomateGuard), ApiBearerAuth('automate'));
