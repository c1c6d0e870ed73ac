import { mistakeOf } from './command-line.js';

/** A mistake in the command itself, or a server that cannot be used. */
export class UsageError extends Error {}

export function neededOption(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new UsageError(`--${name} is missing`);
  return value;
}

/** The address of a server as people give it, without `/api` and slashes at its end. */
export function originOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new UsageError(`--url must be an http or https address, not ${url}`);
  return url.replace(/\/+$/, '').replace(/\/api$/, '');
}

/** Says what went wrong; returns the exit code. */
export function fail(error: unknown, usage: string): number {
  if (!(error instanceof Error)) throw error;
  const isUsage =
    error instanceof UsageError || (error as NodeJS.ErrnoException).code?.startsWith('ERR_PARSE_ARGS');
  const sentence = error instanceof TypeError && isUsage ? mistakeOf(error) : error.message;
  console.error(isUsage ? `${sentence}\n\n${usage}` : sentence);
  return 2;
}
