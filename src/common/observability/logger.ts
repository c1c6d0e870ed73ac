import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { DomainError } from '../errors/domain-error.js';
import { thrownMessage } from '../errors/thrown-message.js';
import { LogDestination } from './log-destination.js';
import { RepeatedLines } from './repeated-lines.js';

/** Customer content may be logged only under these keys, and they never leave the process. */
const REDACTED_KEYS = [
  'authorization',
  'token',
  'password',
  'secret',
  'content',
  'transcript',
  'phoneNumber',
  'variables',
  'arguments',
  'result',
];

/** Equal warnings of one window: the first few, and a count. */
const WARNING_WINDOW_MS = 30_000;
const WARNINGS_AT_ONCE = 5;

interface Throttles {
  readonly outages: RepeatedLines;
  readonly warnings: RepeatedLines;
}

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured log: a static message and fields. Never put customer content into the message. */
export class Logger implements LoggerService {
  private constructor(
    private readonly pino: Pino,
    private readonly destination?: DestinationStream,
    private readonly repeated: Throttles = {
      outages: new RepeatedLines(),
      warnings: new RepeatedLines(WARNING_WINDOW_MS, WARNINGS_AT_ONCE),
    },
  ) {}

  static create(level: string, destination?: DestinationStream): Logger {
    const paths = REDACTED_KEYS.flatMap((key) => [key, `*.${key}`]);
    const options = {
      level,
      base: undefined,
      redact: { paths, censor: '[redacted]' },
      serializers: { err: describeError },
    };
    const logger = new Logger(destination ? pino(options, destination) : pino(options), destination);
    if (destination instanceof LogDestination) {
      destination.whenWritable((dropped) => logger.warn('log lines were dropped', { dropped }));
    }
    return logger;
  }

  /** Lines that found no way out since the start of the process. */
  get linesDropped(): number {
    return this.destination instanceof LogDestination ? this.destination.linesDropped : 0;
  }

  child(fields: LogFields): Logger {
    return new Logger(this.pino.child(fields), this.destination, this.repeated);
  }

  info(message: string, fields: LogFields = {}): void {
    this.pino.info(fields, message);
  }

  log(message: unknown, ...details: unknown[]): void {
    const line = lineOf(message, details);
    this.pino.debug({ ...line.fields, context: contextOf(details) }, line.message);
  }

  error(message: unknown, ...details: unknown[]): void {
    const line = lineOf(message, details);
    this.write('error', line.message, line.fields);
  }

  warn(message: unknown, ...details: unknown[]): void {
    const line = lineOf(message, details);
    this.write('warn', line.message, line.fields);
  }

  debug(message: unknown, ...details: unknown[]): void {
    const line = lineOf(message, details);
    this.pino.debug(line.fields, line.message);
  }

  verbose(message: unknown, ...details: unknown[]): void {
    const line = lineOf(message, details);
    this.pino.trace(line.fields, line.message);
  }

  fatal(message: unknown, ...details: unknown[]): void {
    const line = lineOf(message, details);
    this.pino.fatal(line.fields, line.message);
  }

  /**
   * While something that is needed is away, every request and every loop says so: one line a minute of each is enough. Other
   * warnings come in floods too. An error that is no outage is always written: an answer may have named its id.
   */
  private write(level: 'warn' | 'error', message: string, fields: LogFields): void {
    const { outages, warnings } = this.repeated;
    const write = (repeated: number) =>
      this.pino[level](repeated > 0 ? { ...fields, repeated } : fields, message);
    const job = typeof fields.job === 'string' ? fields.job : '';
    if (isOutage(fields.err)) outages.write(`${message}:${job}`, write);
    else if (level === 'warn') warnings.write(`${message}:${job}:${thrownMessage(fields.err)}`, write);
    else write(0);
  }
}

function isOutage(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable';
}

interface DescribedError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string;
  readonly cause?: DescribedError;
}

const MAX_CAUSES = 5;

/** An error without what libraries hang onto it: a failed query carries its parameters, and those are customers'. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: thrownMessage(error) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    ...('code' in error ? { code: error.code } : {}),
    ...(stack ? { stack } : {}),
    ...(cause === undefined || depth >= MAX_CAUSES ? {} : { cause: describeError(cause, depth + 1) }),
  };
}

/**
 * Nest's static logger passes its first argument on as it is: a text, an error, or one object with the text under `msg`
 * with the fields. Of the last, `String()` would leave `[object Object]`.
 */
function lineOf(message: unknown, details: readonly unknown[]): { message: string; fields: LogFields } {
  const fields = fieldsOf(details);
  if (message instanceof Error) return { message: message.message, fields: { err: message, ...fields } };
  if (typeof message !== 'object' || message === null) return { message: String(message), fields };
  const { msg, ...rest } = message as LogFields;
  return { message: typeof msg === 'string' ? msg : 'no message', fields: { ...fields, ...rest } };
}

/** Nest passes strings (stack, context); our own code passes one object of fields. */
function fieldsOf(details: readonly unknown[]): LogFields {
  const fields = details.find((detail): detail is LogFields => typeof detail === 'object' && detail !== null);
  return fields ?? (details.length > 0 ? { context: contextOf(details) } : {});
}

function contextOf(details: readonly unknown[]): unknown {
  return details.at(-1);
}
