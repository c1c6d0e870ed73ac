import { prettyFactory } from 'pino-pretty';

/** A line of the log for people who watch a terminal: time, level, message, then its fields. Machines get JSON. */
export function prettyLines(colorize: boolean): (line: string) => string {
  return prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true });
}
