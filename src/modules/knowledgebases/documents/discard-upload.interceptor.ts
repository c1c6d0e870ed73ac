import { rm } from 'node:fs/promises';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { Logger } from '../../../common/observability/logger.js';

/**
 * Deletes the temporary file of an upload before the answer is sent. List it before the interceptor that receives the
 * file.
 */
@Injectable()
export class DiscardUploadInterceptor implements NestInterceptor {
  constructor(private readonly logger: Logger) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request & { file?: { path: string } }>();
    try {
      return of(await lastValueFrom(next.handle()));
    } finally {
      await this.discard(request.file?.path);
    }
  }

  private async discard(path: string | undefined): Promise<void> {
    if (path === undefined) return;
    try {
      await rm(path, { force: true });
    } catch (error) {
      this.logger.warn('a temporary upload could not be deleted', { err: error });
    }
  }
}
