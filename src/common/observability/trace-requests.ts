import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { NextFunction, Request, Response } from 'express';
import { beginSpan } from './tracing.js';
import { requestIdOf } from './request-id.js';
import { routeOf } from './route-of.js';

const SERVER_FAULT = 500;

/**
 * A trace for each request. What callers send as `traceparent` is not taken: a stranger would decide what is recorded, and
 * below what.
 */
export function traceRequests(request: Request, response: Response, next: NextFunction): void {
  const { method } = request;
  const attributes = { 'http.request.method': method, 'prosa.request.id': requestIdOf(request) };
  const span = beginSpan(method, attributes, { kind: SpanKind.SERVER, root: true });
  if (!span) return next();
  response.once('close', () => {
    const route = routeOf(request);
    if (route !== null) {
      span.updateName(`${method} ${route}`);
      span.setAttribute('http.route', route);
    }
    span.setAttribute('http.response.status_code', response.statusCode);
    if (response.statusCode >= SERVER_FAULT) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });
  context.with(trace.setSpan(context.active(), span), next);
}
