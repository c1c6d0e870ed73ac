import { createServer, type RequestListener, type Server } from 'node:http';
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

/** The port of the operator: health and metrics, apart from what the world may reach. */
export class OperationsServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /**
   * Listens on OPERATIONS_PORT. Without one a process with the api role opens none, and any other one opens the port
   * above PORT. When that is taken it continues without: several such processes may share a machine.
   *
   * @throws PortTakenError when the port that was named is taken
   */
  static async open(
    app: NestExpressApplication,
    config: ServerConfig,
    logger: Logger,
  ): Promise<OperationsServer | null> {
    const port = portOf(config);
    if (port === null) return null;
    try {
      return await OperationsServer.listen(app, port, config.host);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      if (config.operationsPort !== undefined) {
        throw new PortTakenError(
          `Port ${port} is in use: stop what listens there, or choose another with OPERATIONS_PORT.`,
        );
      }
      logger.warn('no operations port: it is in use; name one with OPERATIONS_PORT', { port });
      return null;
    }
  }

  private static async listen(
    app: NestExpressApplication,
    port: number,
    host: string,
  ): Promise<OperationsServer> {
    const handle = app.getHttpAdapter().getInstance() as RequestListener;
    const server = createServer({ headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS });
    server.maxConnections = MAX_CONNECTIONS;
    answerClientErrors(server);
    server.on('request', (request, response) => {
      markAsOperations(request);
      handle(request, response);
    });
    server.listen(port, host);
    await once(server, 'listening');
    const { port: bound } = server.address() as AddressInfo;
    return new OperationsServer(server, `http://${host === '0.0.0.0' ? 'localhost' : host}:${bound}`);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

function portOf({ operationsPort, roles, port }: ServerConfig): number | null {
  if (operationsPort !== undefined) return operationsPort;
  if (roles.has('api')) return null;
  // PORT=0 asks for any free port, and 65535 has none above it.
  return port === 0 || port === 65_535 ? 0 : port + 1;
}
