/** What requests are signed with. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Of a role; undefined for keys of a user. */
  readonly sessionToken: string | undefined;
  /** Undefined: they do not expire. */
  readonly expiresAtMs: number | undefined;
}

/** A service that hands out credentials of a role for some time. */
export interface CredentialSource {
  /** For errors. */
  readonly name: string;

  /** @throws the error of the file or the connection, and CredentialsRefusedError */
  fetch(): Promise<AwsCredentials>;
}

/** The service answered without credentials. The message has no words of the service. */
export class CredentialsRefusedError extends Error {
  override readonly name = 'CredentialsRefusedError';
}

/** The form in which the services of containers and machines answer. */
interface CredentialsAnswer {
  readonly AccessKeyId?: unknown;
  readonly SecretAccessKey?: unknown;
  readonly Token?: unknown;
  readonly Expiration?: unknown;
}

/** @throws CredentialsRefusedError for an answer that is no credentials */
export function credentialsIn(text: string): AwsCredentials {
  return credentialsOf(parsed(text));
}

/** @throws CredentialsRefusedError where a part is missing */
export function credentialsOf({
  AccessKeyId: accessKeyId,
  SecretAccessKey: secretAccessKey,
  Token: sessionToken,
  Expiration: expiration,
}: CredentialsAnswer): AwsCredentials {
  const expiresAtMs = Date.parse(String(expiration));
  const isWhole = [accessKeyId, secretAccessKey, sessionToken].every((part) => typeof part === 'string');
  if (!isWhole || Number.isNaN(expiresAtMs))
    throw new CredentialsRefusedError('the answer has no credentials');
  return {
    accessKeyId: String(accessKeyId),
    secretAccessKey: String(secretAccessKey),
    sessionToken: String(sessionToken),
    expiresAtMs,
  };
}

function parsed(text: string): CredentialsAnswer {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
