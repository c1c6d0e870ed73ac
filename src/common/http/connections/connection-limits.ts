import type { Server } from 'node:http';
import type { ServerConfig } from '../../../config/config.js';
import type { Logger } from '../../observability/logger.js';
import { MAX_UPLOAD_MS } from './body-deadline.js';

/** After `BodyDeadline`, which answers in the route's shape; what is left for Node's own limit is cut without one. */
const REQUEST_GRACE_MS = 30_000;
const MAX_CHECK_MS = 5_000;
const WARN_EVERY_MS = 60_000;

/** Node lets the interval be set with `createServer` alone, which the framework calls; it is read when listening begins. */
type CheckedServer = Server & { connectionsCheckingInterval: number };

/** Bounds connections, and the time they may stand without saying anything. To be called before the server listens. */
export function limitConnections(server: Server, config: ServerConfig, logger: Logger): void {
  server.maxConnections = config.maxConnections;
  // Also of a connection that never sends a byte.
  server.headersTimeout = config.headersTimeoutMs;
  server.requestTimeout = Math.max(config.bodyTimeoutMs, MAX_UPLOAD_MS) + REQUEST_GRACE_MS;
  // Longer than a proxy keeps its idle connections, or it would send a request into a closing one.
  server.keepAliveTimeout = config.keepAliveMs;
  (server as CheckedServer).connectionsCheckingInterval = Math.min(MAX_CHECK_MS, config.headersTimeoutMs / 2);
  let warnedAtMs = -Infinity;
  server.on('drop', () => {
    if (performance.now() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = performance.now();
    logger.warn('connections are refused: HTTP_MAX_CONNECTIONS is reached', { limit: config.maxConnections });
  });
  // Stays, where the framework's own listener goes once the port is taken: a connection that the system could not
  // accept is reported here, and would end the process.
  server.on('error', (err) => logger.warn('server error', { err }));
}
