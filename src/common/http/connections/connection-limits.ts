import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerConfig } from '../../../config/config.js';
import { FairPlaces } from '../../limits/fair-places.js';
import { addressOf } from '../../limits/subjects.js';
import type { Logger } from '../../observability/logger.js';
import { MAX_UPLOAD_MS } from './body-deadline.js';

/** After `BodyDeadline`, which answers in the route's shape; what is left for Node's own limit is cut without one. */
const REQUEST_GRACE_MS = 30_000;
const MAX_CHECK_MS = 5_000;
const WARN_EVERY_MS = 60_000;
/** The part of the connections that one address may have, unless the address is that of a proxy. */
const SHARE_OF_ADDRESS = 0.5;
/** Connections that the system may hand over at once, before those that they replace are closed. */
const MAX_BURST = 1_024;

/** Node lets the interval be set with `createServer` alone, which the framework calls; it is read when listening begins. */
type CheckedServer = Server & { connectionsCheckingInterval: number };

/** Bounds connections, and the time they may stand without saying anything. To be called before the server listens. */
export function limitConnections(server: Server, config: ServerConfig, logger: Logger): void {
  server.maxConnections = config.maxConnections + (config.trustProxy > 0 ? 0 : MAX_BURST);
  // Also of a connection that never sends a byte.
  server.headersTimeout = config.headersTimeoutMs;
  server.requestTimeout = Math.max(config.bodyTimeoutMs, MAX_UPLOAD_MS) + REQUEST_GRACE_MS;
  // Longer than a proxy keeps its idle connections, or it would send a request into a closing one.
  server.keepAliveTimeout = config.keepAliveMs;
  (server as CheckedServer).connectionsCheckingInterval = Math.min(MAX_CHECK_MS, config.headersTimeoutMs / 2);
  let warnedAtMs = -Infinity;
  const warn = () => {
    if (performance.now() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = performance.now();
    logger.warn('connections are closed: HTTP_MAX_CONNECTIONS is reached, or the share of an address', {
      limit: config.maxConnections,
    });
  };
  server.on('drop', warn);
  // Behind a proxy all connections come from its address.
  if (config.trustProxy === 0) shareConnections(server, config.maxConnections, warn);
  // Stays, where the framework's own listener goes once the port is taken: a connection that the system could not
  // accept is reported here, and would end the process.
  server.on('error', (err) => logger.warn('server error', { err }));
}

/**
 * Bounds the connections of each address. When all are taken, the address with the most loses one to a newcomer: one
 * without a request under way, where it has such.
 */
function shareConnections(server: Server, max: number, onClosed: () => void): void {
  const places = new FairPlaces(max, Math.ceil(max * SHARE_OF_ADDRESS));
  const busy = new WeakSet<Socket>();
  server.on('connection', (socket: Socket) => {
    const leave = places.enter(addressOf({ ip: socket.remoteAddress }), {
      isBusy: () => busy.has(socket),
      evict: () => {
        onClosed();
        socket.destroy();
      },
    });
    socket.once('close', leave);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => busy.add(socket));
}
