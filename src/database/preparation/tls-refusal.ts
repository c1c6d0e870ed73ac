/** What `pg` says when a server answers that it has no TLS. */
const NO_TLS = 'The server does not support SSL connections';
/** Codes of Node's TLS and of the certificates that it checks, such as `SELF_SIGNED_CERT_IN_CHAIN`. */
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|CERT_|CRL_|HOSTNAME_|INVALID_CA|.*_(CERT|CERTIFICATE|SIGNATURE)(_|$))/;
/** What PostgreSQL says when its rules accept encrypted connections alone. */
const NEEDS_TLS = /no encryption$/;

/** What PostgreSQL says when its rules ask for a certificate of the client, and none was shown. */
const NEEDS_CLIENT = /requires a valid client certificate/;

/** A sentence for the operator where TLS is why a connection was refused; otherwise null. */
export function tlsRefusalOf(error: unknown, place: string): string | null {
  if (!(error instanceof Error)) return null;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (error.message === NO_TLS) {
    return (
      `The database at ${place} offers no TLS, and sslmode in DATABASE_URL asks for it: set ssl = on in PostgreSQL, or take ` +
      'sslmode out.'
    );
  }
  if (syscall === 'open') {
    return `A file that DATABASE_URL names cannot be read (${error.message}): correct sslrootcert, sslcert or sslkey.`;
  }
  if (NEEDS_TLS.test(error.message)) {
    return (
      `The database at ${place} accepts no connection without TLS (${error.message}): add sslmode=verify-full to ` +
      'DATABASE_URL.'
    );
  }
  if (NEEDS_CLIENT.test(error.message)) {
    return (
      `The database at ${place} asks for a certificate of the client (${error.message}): name its file in sslcert and that of ` +
      'its key in sslkey of DATABASE_URL.'
    );
  }
  if (!TLS_CODES.test(code)) return null;
  return (
    `No encrypted connection to the database at ${place} is possible (${error.message}): name the file of its certificate ` +
    'authority in sslrootcert of DATABASE_URL, and as the host a name that its certificate has.'
  );
}
