import { applyDecorators, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { ApiBearerAuth } from '@nestjs/swagger';
import type { Request } from 'express';
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

@Injectable()
class MaybeUserGuard extends AuthGuard(USER_STRATEGY) {
  /** No token is fine; a token that is sent must be right. */
  override canActivate(context: ExecutionContext): ReturnType<InstanceType<typeof UserGuard>['canActivate']> {
    const { headers } = context.switchToHttp().getRequest<Request>();
    return headers.authorization === undefined ? true : super.canActivate(context);
  }

  override handleRequest<T>(error: unknown, caller: T | false | undefined): T {
    return callerOrRefuse(error, caller);
  }
}

/** Routes that know their caller when a token is sent, and do without otherwise. */
export const MaybeUser = () => applyDecorators(UseGuards(MaybeUserGuard), ApiBearerAuth('user'));

/** Routes of `/user`: a persistent API key or a session token. */
export const ForUser = () => applyDecorators(UseGuards(UserGuard), ApiBearerAuth('user'));

/** Routes of `/automate`: an API key of the account. */
export const ForAutomate = () => applyDecorators(UseGuards(AutomateGuard), ApiBearerAuth('automate'));
