import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { RateLimitsService } from './rate-limits.service.js';
import { addressOf, isLimited, loginOf, tokenOf } from './subjects.js';

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const CREDENTIALS = Symbol('limit credentials');
const CONVERSATION = Symbol('limit per conversation');

/** Routes on which passwords may be guessed: the `email` of the body, and the address, are limited. */
export const LimitCredentials = () => SetMetadata(CREDENTIALS, true);

/** Routes that spend the money of a conversation's owner: the UUID in the path is limited. */
export const LimitPerConversation = (parameter = 'uuid') => SetMetadata(CONVERSATION, parameter);

/**
 * The limits that need the parsed request. A global guard runs before those of a route, so the token is counted
 * before the database is asked about it.
 */
@Injectable()
export class RateLimitsGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimitsService,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (!this.limits.areOn || !isLimited(request)) return true;
    const handler = context.getHandler();
    const token = tokenOf(request);
    if (token) await this.limits.take('key', token, response);
    if (this.reflector.get<boolean>(CREDENTIALS, handler)) await this.limitCredentials(request, response);
    const parameter = this.reflector.get<string | undefined>(CONVERSATION, handler);
    if (parameter) await this.limitConversation(request.params[parameter], response);
    return true;
  }

  private async limitCredentials(request: Request, response: Response): Promise<void> {
    await this.limits.take('credentials', addressOf(request), response);
    const login = loginOf(request);
    if (login) await this.limits.take('login', login, response);
  }

  private async limitConversation(uuid: unknown, response: Response): Promise<void> {
    if (typeof uuid !== 'string' || !UUID.test(uuid)) return;
    await this.limits.take('conversation', uuid.toLowerCase(), response);
  }
}
