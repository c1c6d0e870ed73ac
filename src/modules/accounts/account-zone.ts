import {
  applyDecorators,
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import type { Principal } from '../../common/auth/principal.js';
import { AccountsService } from './accounts.service.js';

type ZonedRequest = Request & { user?: Principal; accountZone?: string };

export const TIME_ZONE_HEADER = 'X-Prosa-Time-Zone';

/** Tells the caller in which time zone days are read and plain times are written: bodies have no place for it. */
@Injectable()
class AccountZoneInterceptor implements NestInterceptor {
  constructor(private readonly accounts: AccountsService) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<ZonedRequest>();
    if (!request.user) throw new Error('the route is not guarded, so it has no account');
    request.accountZone = await this.accounts.timeZoneOf(request.user.userId);
    http.getResponse<Response>().setHeader(TIME_ZONE_HEADER, request.accountZone);
    return next.handle();
  }
}

/** Routes whose days and plain times are those of the account's time zone, which a header of the answer names. */
export const InAccountZone = () => applyDecorators(UseInterceptors(AccountZoneInterceptor));

/** The account's time zone, on routes marked with {@link InAccountZone}. */
export const AccountZone = createParamDecorator((_data: unknown, context: ExecutionContext): string => {
  const { accountZone } = context.switchToHttp().getRequest<ZonedRequest>();
  if (accountZone === undefined) throw new Error('the route is not marked with InAccountZone');
  return accountZone;
});
