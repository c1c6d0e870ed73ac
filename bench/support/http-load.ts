import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** The whole of an HTTP/1.1 request, as it goes over the wire. */
export type WireRequest = () => string;

/** A request without a body is the same each time; `body` makes the next one, as JSON. */
export function wireRequest(
  url: URL,
  headers: Readonly<Record<string, string>>,
  { method = 'GET', body }: { method?: string; body?: () => string } = {},
): WireRequest {
  const lines = Object.entries({ Host: url.host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}`;
  if (!body) return () => `${head}\r\n`;
  return () => {
    const json = body();
    return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`;
  };
}

/** Sends the same GET again and again: see {@link loadRequests}. */
export function load(
  url: URL,
  headers: Readonly<Record<string, string>>,
  size: { connections: number; seconds: number },
): Promise<LoadResult> {
  return loadRequests(url, wireRequest(url, headers), size);
}

/**
 * Sends requests over keep-alive connections, one at a time on each. It reads just enough of the answer (status and
 * Content-Length) to leave the processor to the servers under test.
 *
 * @throws when an answer is not 200 or 201, or has no length.
 */
export function loadRequests(
  url: URL,
  request: WireRequest,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<LoadResult> {
  return loadLanes(url, Array<WireRequest>(connections).fill(request), seconds);
}

/**
 * As {@link loadRequests}, with a request of its own for each connection. The first ones are sent evenly over `spreadMs`:
 * where all answers take equally long, connections that begin together would stay together, as people never do.
 */
export async function loadLanes(
  url: URL,
  requests: readonly WireRequest[],
  seconds: number,
  spreadMs = 0,
): Promise<LoadResult> {
  const startedAt = performance.now();
  const deadline = startedAt + seconds * 1_000;
  const each = requests.map(async (request, index) => {
    await sleep((index / requests.length) * spreadMs);
    return repeat(url, request, deadline);
  });
  const latenciesMs = (await Promise.all(each)).flat();
  return { requests: latenciesMs.length, seconds: (performance.now() - startedAt) / 1_000, latenciesMs };
}

function repeat(url: URL, request: WireRequest, deadline: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const latenciesMs: number[] = [];
    const socket: Socket = connect(Number(url.port), url.hostname);
    socket.setNoDelay(true);
    let sentAt = 0;
    let missing = 0;
    let head = Buffer.alloc(0);
    const send = () => {
      sentAt = performance.now();
      socket.write(request());
    };
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (missing === 0) {
        head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk;
        const end = head.indexOf(END_OF_HEAD);
        if (end < 0) return;
        const text = head.toString('latin1', 0, end);
        const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
        if (!/^HTTP\/1\.1 20[01] /.test(text) || length === undefined) {
          socket.destroy(new Error(`unexpected answer: ${head.toString('utf8').slice(0, 600)}`));
          return;
        }
        missing = Number(length) - (head.length - end - END_OF_HEAD.length);
        head = Buffer.alloc(0);
      } else {
        missing -= chunk.length;
      }
      if (missing > 0) return;
      const now = performance.now();
      latenciesMs.push(now - sentAt);
      if (now < deadline) send();
      else socket.end(() => resolve(latenciesMs));
    });
  });
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
