import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { ServerConfig } from '../../../config/config.js';
import { render, text } from '../../../i18n/catalogue.js';
import { nameError } from '../../errors/error-header.js';
import { errorBodyFor, languageOf } from '../../errors/route-families.js';

/** What an upload must bring within each body time-out; less is no progress. */
const MIN_UPLOAD_BYTES = 65_536;
/** Applies even to an upload that makes steady progress. */
export const MAX_UPLOAD_MS = 300_000;
const MAX_CHECK_MS = 1_000;
const UPLOADS = /^(multipart\/form-data|text\/csv)\b/i;

/** A body that has not arrived in full. */
interface Arriving {
  readonly response: Response;
  readonly isUpload: boolean;
  readonly startedAtMs: number;
  /** The last time it had come on well, and what had arrived by then. */
  seenAtMs: number;
  seenBytes: number;
}

/**
 * Bounds how long a body may take to arrive, so that no client holds a connection by sending a byte now and then. A
 * file may take longer than the time-out, up to five minutes, as long as data arrives. Time in which the server is
 * the slow side does not count.
 */
@Injectable()
export class BodyDeadline implements OnApplicationShutdown {
  private readonly arriving = new Map<Request, Arriving>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly config: ServerConfig) {
    const checkMs = Math.min(MAX_CHECK_MS, config.bodyTimeoutMs / 4);
    this.timer = setInterval(() => this.check(performance.now()), checkMs).unref();
  }

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    if (hasBody(request) && !request.complete) {
      const nowMs = performance.now();
      this.arriving.set(request, {
        response,
        isUpload: UPLOADS.test(request.headers['content-type'] ?? ''),
        startedAtMs: nowMs,
        seenAtMs: nowMs,
        seenBytes: request.socket.bytesRead,
      });
      request.once('end', () => this.arriving.delete(request));
    }
    next();
  };

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private check(nowMs: number): void {
    for (const [request, body] of this.arriving) {
      if (request.complete || request.destroyed) this.arriving.delete(request);
      else if (this.isLate(request, body, nowMs)) this.refuse(request, body);
    }
  }

  private isLate(request: Request, body: Arriving, nowMs: number): boolean {
    const limitMs = this.config.bodyTimeoutMs;
    if (!body.isUpload) return nowMs - body.startedAtMs > limitMs;
    const { bytesRead } = request.socket;
    // What has come and is not read yet waits for us.
    if (request.readableLength > 0 || bytesRead - body.seenBytes >= MIN_UPLOAD_BYTES) {
      body.seenAtMs = nowMs;
      body.seenBytes = bytesRead;
    }
    return nowMs - body.seenAtMs > limitMs || nowMs - body.startedAtMs > Math.max(limitMs, MAX_UPLOAD_MS);
  }

  /** A reader of the body sees it end early; its own answer comes after this one and is not sent. */
  private refuse(request: Request, { response }: Arriving): void {
    this.arriving.delete(request);
    if (response.headersSent) {
      request.socket.destroy();
      return;
    }
    const reason = text('http.body_timeout');
    const message = render(reason, languageOf(request.path));
    nameError(response, reason);
    response.setHeader('Connection', 'close');
    // After the answer Node does not tell the reader of a body that the connection has closed.
    response.once('finish', () => request.destroy(new Error('the body did not arrive in time')));
    response.status(408).json(errorBodyFor(request.path, { kind: 'timeout', message }));
  }
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
