import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { UnknownLeadFieldsError } from './leads.errors.js';

const UPDATABLE_FIELDS = ['campaign_id', 'phone_number', 'status', 'variables'];

/** Refuses fields that an update may not have. A guard, because it must speak before the body is validated. */
@Injectable()
export class OnlyLeadFieldsGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { body } = context.switchToHttp().getRequest<Request & { body: unknown }>();
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return true;
    const unknown = Object.keys(body).filter((field) => !UPDATABLE_FIELDS.includes(field));
    if (unknown.length > 0) throw new UnknownLeadFieldsError(unknown);
    return true;
  }
}
