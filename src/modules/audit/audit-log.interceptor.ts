import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { type Observable, tap } from 'rxjs';
import type { Principal } from '../../common/auth/principal.js';
import { MAX_INTEGER, UUID } from '../../common/http/fields.js';
import { operationOf } from '../../common/http/requests/operation-of.js';
import { networkOf } from '../../common/limits/subjects.js';
import { AuditLogService } from './audit-log.service.js';
import { type IsUnaudited, UNAUDITED } from '../../common/http/unaudited.js';

const CHANGES = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const FIRST_REFUSAL = 400;

/**
 * Writes every change of a known caller into the audit log, on every route. The line is written before the change,
 * since one after it would be missing when the process dies in between. Outcomes are written after the answer,
 * several at once.
 */
@Injectable()
export class AuditLogInterceptor implements NestInterceptor {
  constructor(
    private readonly log: AuditLogService,
    private readonly reflector: Reflector,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request & { user?: Principal }>();
    const { user } = request;
    if (!user || !CHANGES.has(request.method) || this.isUnaudited(context, request)) return next.handle();
    const { userId, via, tokenId, memberId = null } = user;
    const id = await this.log.begin({
      userId,
      via,
      tokenId,
      memberId,
      network: networkOf(request),
      action: operationOf(context),
    });
    let answer: unknown;
    const response = http.getResponse<Response>();
    response.once('close', () => {
      const { headersSent, statusCode: status } = response;
      if (!headersSent) return;
      const resourceId = status < FIRST_REFUSAL ? resourceOf(request, answer) : null;
      this.log.end({ id, status, resourceId });
    });
    return next.handle().pipe(tap((value: unknown) => (answer = value)));
  }

  private isUnaudited(context: ExecutionContext, request: Request): boolean {
    return this.reflector.get<IsUnaudited | undefined>(UNAUDITED, context.getHandler())?.(request) ?? false;
  }
}

/** What the path names last, or else the id of what was made. Nothing but ids: other texts may be about people. */
function resourceOf({ params }: Request, answer: unknown): string | null {
  const named = Object.values(params).at(-1);
  return idOf(named) ?? idOf(fieldOf(fieldOf(answer, 'data'), 'id'));
}

function idOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  if (UUID.test(text)) return text.toLowerCase();
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_INTEGER ? text : null;
}

function fieldOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null
    ? (holder as Record<string, unknown>)[name]
    : undefined;
}
