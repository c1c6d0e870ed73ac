import { request } from 'undici';
import { timeoutSignal } from '#src/common/time/timeout-signal.js';
import { CredentialsRefusedError } from './aws-credentials.js';

/** A machine that is not at Amazon drops what is sent to the address of its service. */
const ANSWER_MS = 5_000;
const MAX_ANSWER_CHARACTERS = 64 * 1024;

export interface CredentialsRequest {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Asks a service of Amazon for credentials. Addresses come from the operator or from Amazon's documents, and from no user. The
 * guard of users' addresses forbids all of them. Redirects are not followed.
 *
 * @throws undici's errors, and CredentialsRefusedError for any status but 200
 */
export async function askForCredentials({ method, url, headers, body }: CredentialsRequest): Promise<string> {
  const answer = await request(url, {
    method,
    headers: { ...headers },
    body: body ?? null,
    signal: timeoutSignal(ANSWER_MS),
  });
  const text = await answer.body.text();
  if (answer.statusCode === 200 && text.length <= MAX_ANSWER_CHARACTERS) return text;
  throw new CredentialsRefusedError(`the service answered ${answer.statusCode}`);
}
