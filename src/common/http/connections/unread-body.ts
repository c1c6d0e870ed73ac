import type { NextFunction, Request, Response } from 'express';

/** In place of a body that is not JSON. Without it the answer would list its fields as missing. */
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
