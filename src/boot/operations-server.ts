import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { answerClientErrors } from '../common/http/requests/client-errors.js';
import type { Logger } from '../common/observability/logger.js';
import type { ServerConfig } from '../config/config.js';
import { PortTakenError } from './port-taken.error.js';
import { markAsOperations } from './surfaces.js';

const HEADERS_TIMEOUT_MS = 15_000;
const REQUEST_TIMEOUT_MS = 30_000;
const MAX_CONNECTIONS = 100;
const LOOPBACK = '127.0.0.1';

const LIVE = /^\/health\/live\/?(\?|$)/i;
const ALIVE = { status: 'ok' };
const START = { start: { status: 'down' } };
/** In the form of the readiness of a started process. */
const NOT_READY = { status: 'error', info: {}, error: START, details: START };

/** The port of the operator: health and metrics, apart from what the world may reach. */
export class OperationsServer {
  private app: RequestListener | null = null;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {
    server.on('request', (request, response) => this.answer(request, response));
  }

  /**
   * Listens on OPERATIONS_PORT, or on the port above PORT. Until {@link serve} the process is live and not ready. A process
   * with the api role opens the port above PORT for this machine alone. When it is taken the process continues without:
   * several processes may share a machine.
   *
   * @throws PortTakenError when the port that was named is taken
   */
  static async open(config: ServerConfig, logger: Logger): Promise<OperationsServer | null> {
    const port = portOf(config);
    const isNamed = config.operationsPort !== undefined;
    const host = !isNamed && config.roles.has('api') ? LOOPBACK : config.host;
    try {
      return await OperationsServer.listen(port, host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (isNamed) {
        throw new PortTakenError(
          `Port ${port} is in use: stop what listens there, or choose another with OPERATIONS_PORT.`,
        );
      }
      logger.warn('no operations port, so no metrics: it is in use; name one with OPERATIONS_PORT', { port });
      return null;
    }
  }

  private static async listen(port: number, host: string): Promise<OperationsServer> {
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS });
    server.maxConnections = MAX_CONNECTIONS;
    answerClientErrors(server);
    server.listen(port, host);
    await once(server, 'listening');
    const { port: bound } = server.address() as AddressInfo;
    return new OperationsServer(server, `http://${host === '0.0.0.0' ? 'localhost' : host}:${bound}`);
  }

  /** From now on the application answers. */
  serve(app: NestExpressApplication): void {
    this.app = app.getHttpAdapter().getInstance() as RequestListener;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    markAsOperations(request);
    if (this.app) this.app(request, response);
    else answerWhileStarting(request, response);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

function answerWhileStarting({ url = '' }: IncomingMessage, response: ServerResponse): void {
  const isLive = LIVE.test(url);
  response.writeHead(isLive ? 200 : 503, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
  });
  response.end(JSON.stringify(isLive ? ALIVE : NOT_READY));
}

function portOf({ operationsPort, port }: ServerConfig): number {
  if (operationsPort !== undefined) return operationsPort;
  // PORT=0 asks for any free port, and 65535 has none above it.
  return port === 0 || port === 65_535 ? 0 : port + 1;
}
