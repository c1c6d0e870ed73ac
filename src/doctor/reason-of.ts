/** The code in an answer of a service that speaks the S3 protocol. */
const SERVICE_CODE = /<Code>(\w+)<\/Code>/;

/** Why something failed, without the words of another server, which may repeat a secret. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const message = error.message === '' ? error.name : error.message;
  const cause = causeOf(error.cause);
  return cause === null ? message : `${message}: ${cause}`;
}

function causeOf(cause: unknown): string | null {
  if (typeof cause === 'string') return SERVICE_CODE.exec(cause)?.[1] ?? null;
  if (!(cause instanceof Error)) return null;
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
