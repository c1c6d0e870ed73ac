import type { NextFunction, Request, Response } from 'express';

/** Stands where a body was sent that is not JSON, so that nobody is told that its fields are missing. */
const UNREAD_BODY: object = Object.freeze({});

export function isUnreadBody(body: unknown): boolean {
  return body === UNREAD_BODY;
}

/** After the parser of JSON: a form, or a body without a type. Routes that read uploads put what they read in its place. */
export function markUnreadBody(request: Request, _response: Response, next: NextFunction): void {
  const isSent = Number(request.headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in request.headers;
  if (request.body === undefined && isSent) request.body = UNREAD_BODY;
  next();
}
