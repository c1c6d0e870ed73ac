import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { isDocs } from '../common/http/security-headers.js';
import type { ServerConfig } from '../config/config.js';

const HEALTH = /^\/health(\/|$)/i;
const METRICS = /^\/metrics(\/|$)/i;

/** Requests that came in through the operations port. */
const ofOperations = new WeakSet<IncomingMessage>();

export function markAsOperations(request: IncomingMessage): void {
  ofOperations.add(request);
}

type Shows = (request: Request) => boolean;

/**
 * Shows each path at the port where it belongs, and nothing of it at the other. Health is shown at both, metrics at the
 * operations port alone, and the documentation where DOCS says.
 */
export function surfaceGate(config: ServerConfig) {
  const showsMetrics = (request: Request) => config.metrics && METRICS.test(request.path);
  const atOperations: Shows = (request) =>
    HEALTH.test(request.path) || showsMetrics(request) || (config.docs === 'operations' && isDocs(request));
  const inPublic: Shows = (request) =>
    !METRICS.test(request.path) && (!isDocs(request) || config.docs === 'public');
  return (request: Request, _response: Response, next: NextFunction): void => {
    const shows = ofOperations.has(request) ? atOperations : inPublic;
    next(shows(request) ? undefined : new NotFoundException());
  };
}
