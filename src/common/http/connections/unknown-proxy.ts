import type { NextFunction, Request, Response } from 'express';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { ServerConfig } from '../../../config/config.js';
import type { Logger } from '../../observability/logger.js';

/** So many clients of one address in the window are those of a proxy. A developer's proxy has fewer. */
const MANY_CLIENTS = 20;
const WINDOW_MS = 10 * 60_000;
const WARN_EVERY_MS = 3_600_000;
/** Addresses of proxies that are watched at once. */
const MAX_PEERS = 100;
/** Where proxies are. A client from a public address may write any X-Forwarded-For itself. */
const INNER_RANGES = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/** What an address has forwarded. */
interface Window {
  readonly sinceMs: number;
  readonly clients: Set<string>;
}

/**
 * Warns when a proxy is in front that TRUST_PROXY does not count: all clients would share the limits of its address. Such a proxy
 * has an inner address and names many clients in X-Forwarded-For. The last entry counts, as the proxy itself writes it.
 */
export function warnOfUnknownProxy(
  { trustProxy }: Pick<ServerConfig, 'trustProxy'>,
  logger: Logger,
  nowMs: () => number = () => performance.now(),
): (request: Request, response: Response, next: NextFunction) => void {
  const seen = new LRUCache<string, Window>({ max: MAX_PEERS });
  let warnedAtMs = -Infinity;
  const see = (peer: string, client: string) => {
    const known = seen.get(peer);
    const isOver = !known || nowMs() - known.sinceMs > WINDOW_MS;
    const { sinceMs, clients } = isOver ? { sinceMs: nowMs(), clients: new Set<string>() } : known;
    clients.add(client);
    seen.set(peer, { sinceMs, clients });
    if (clients.size < MANY_CLIENTS) return;
    seen.delete(peer);
    if (nowMs() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = nowMs();
    logger.warn(
      'a proxy in front is not trusted, so all clients share the limits of its address: set TRUST_PROXY to the number of proxies',
      { peer },
    );
  };
  return ({ headers, socket }, _response, next) => {
    const forwarded = trustProxy === 0 ? headers['x-forwarded-for'] : undefined;
    if (typeof forwarded === 'string' && isInner(socket.remoteAddress)) {
      const client = forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
      if (ipaddr.isValid(client)) see(socket.remoteAddress, client);
    }
    next();
  };
}

function isInner(address: string | undefined): address is string {
  return (
    address !== undefined && ipaddr.isValid(address) && INNER_RANGES.has(ipaddr.process(address).range())
  );
}
