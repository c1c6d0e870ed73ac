import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const HEADER = 'X-Request-Id';
const ids = new WeakMap<Request, string>();

/** Gives each request an id, sent back so that a caller can name it in a report. */
export function assignRequestId(request: Request, response: Response, next: NextFunction): void {
  const id = randomUUID();
  ids.set(request, id);
  response.setHeader(HEADER, id);
  next();
}

export function requestIdOf(request: Request): string {
  return ids.get(request) ?? 'unknown';
}
