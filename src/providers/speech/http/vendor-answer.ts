import { STATUS_CODES } from 'node:http';
import { APIConnectionError, APIStatusError } from '@livekit/agents';
import type { ProviderAnswer } from '../../llm/openai/keep-alive-fetch.js';

/** Text in a body is discarded up to this length, so that the connection can be used again. */
const DISCARDED_BYTES = 64 * 1024;

/**
 * Returns the answer if its status says success. The vendor's own words are not part of the error: they may repeat the key
 * or what the customer said.
 *
 * @throws APIStatusError with the status, by which the caller tells a refused request from a vendor that is down
 */
export async function successful(vendor: string, answer: ProviderAnswer): Promise<ProviderAnswer> {
  const { statusCode, body } = answer;
  if (statusCode >= 200 && statusCode < 300) return answer;
  await body.dump({ limit: DISCARDED_BYTES });
  throw statusError(vendor, statusCode);
}

export function statusError(vendor: string, statusCode: number): APIStatusError {
  const words = STATUS_CODES[statusCode];
  const message = `${vendor} answered with status ${statusCode}${words ? ` (${words})` : ''}`;
  return new APIStatusError({ message, options: { statusCode } });
}

/** The error as the speech library knows it. One that already is stays; of another the message is kept. */
export function libraryError(vendor: string, error: unknown): Error {
  if (error instanceof APIConnectionError || error instanceof APIStatusError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new APIConnectionError({ message: `The connection to ${vendor} failed: ${reason}` });
}
