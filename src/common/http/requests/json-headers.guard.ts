import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { NotAcceptableError, UnsupportedMediaError } from '../../errors/errors.js';

/** Routes whose caller must name JSON in `Content-Type`, even without a body, and accept it. */
@Injectable()
export class JsonHeadersGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const [type = ''] = (request.get('content-type') ?? '').split(';');
    if (type.trim().toLowerCase() !== 'application/json') throw new UnsupportedMediaError();
    if (request.get('accept') === undefined || !request.accepts('application/json'))
      throw new NotAcceptableError();
    return true;
  }
}
