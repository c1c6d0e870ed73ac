import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { UnavailableError } from '../../common/errors/errors.js';

/**
 * SQLSTATE of a database that cannot serve any statement now. It covers connections (08), resources such as disk,
 * memory and slots (53), shutdown and recovery (57P), and a disk that fails (58030). It also covers time limits that
 * end a statement or an idle transaction (57014, 25P03) after the server or the machine was paused.
 */
const AWAY_STATES = /^(08...|53...|57P..|57014|58030|25P03)$/;
const LACKS_RESOURCES = /^(53...|58030)$/;
const NETWORK_CODES = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Of a Unix socket that is not there, as while the server starts, or whose queue is full. */
const SOCKET_CODES = new Set(['EAGAIN', 'ENOENT']);
/** Errors of `pg` and its pool that carry no code: lost connections, and none that is free or made in time. */
const DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired$|Connection terminated|Client (was closed|has encountered a connection error)|Query read timeout)/;

/** What ended at a limit of time: asking again at once would only wait again. */
const TOO_SLOW = /^(57014|timeout exceeded when trying to connect|timeout expired$|Query read timeout)/;

/** `lost`: the connection; `resources`: it answers, and lacks disk, memory or connections; `slow`: a limit of time has passed. */
export type Outage = 'lost' | 'resources' | 'slow';

/** The database cannot be used now, by no fault of the request: it may be tried again later. */
export class DatabaseUnavailableError extends UnavailableError {
  private constructor(
    cause: unknown,
    readonly outage: Outage,
  ) {
    super({ cause });
  }

  /** What an error of the driver or the ORM means for callers: the same error, unless the database is away. */
  static from(error: unknown): unknown {
    const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
    if (typeof inner !== 'object' || inner === null || inner instanceof DatabaseUnavailableError)
      return error;
    const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : '';
    const message = 'message' in inner && typeof inner.message === 'string' ? inner.message : '';
    const isAway =
      AWAY_STATES.test(code) ||
      NETWORK_CODES.has(code) ||
      (SOCKET_CODES.has(code) && 'syscall' in inner && inner.syscall === 'connect') ||
      DRIVER_MESSAGES.test(message) ||
      // The ORM releases a connection once it is lost; its current holder gets this error.
      inner instanceof QueryRunnerAlreadyReleasedError ||
      inner instanceof QueryRunnerProviderAlreadyReleasedError;
    return isAway ? new DatabaseUnavailableError(error, outageOf(code, message)) : error;
  }
}

function outageOf(code: string, message: string): Outage {
  if (LACKS_RESOURCES.test(code)) return 'resources';
  return TOO_SLOW.test(code) || TOO_SLOW.test(message) ? 'slow' : 'lost';
}
