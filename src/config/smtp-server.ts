import { z } from 'zod';
import { isLoopbackHost } from './loopback-host.js';

/** A mail server as `SMTP_URL` names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, as with `smtps`. */
  readonly isTls: boolean;
  /** No e-mail and no password goes over a connection that the server does not encrypt. */
  readonly requiresStartTls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

const SUBMISSION_PORT = 587;
const TLS_PORT = 465;
const EXAMPLE = 'smtp://user:password@mail.example:587';
const MAILBOX = /^(?:([^<>"\p{C}]*)<([^<>\s]+)>|([^<>\s]+))$/u;

export const smtpUrl = z
  .string()
  .transform((value, context): SmtpServer => {
    const parsed = URL.canParse(value) ? smtpServerOf(new URL(value)) : `must be a URL such as ${EXAMPLE}`;
    if (typeof parsed !== 'string') return parsed;
    context.addIssue(parsed);
    return z.NEVER;
  })
  .describe('URL (smtp, smtps)');

export const mailbox = z
  .string()
  .refine((value) => {
    const [, , named, plain] = MAILBOX.exec(value.trim()) ?? [];
    return z.email().safeParse(named ?? plain).success;
  }, 'must be an e-mail address, such as prosa@example.com or Prosa <prosa@example.com>')
  .describe('e-mail address');

/** The server, or what is wrong with the URL. */
function smtpServerOf(url: URL): SmtpServer | string {
  const { protocol, hostname, port, username, password, pathname, searchParams } = url;
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return `must be a URL such as ${EXAMPLE}`;
  if (hostname === '' || (pathname !== '' && pathname !== '/')) return 'must name a host, and no path';
  const tls = searchParams.get('tls') ?? 'required';
  if (searchParams.size > (searchParams.has('tls') ? 1 : 0) || (tls !== 'required' && tls !== 'optional'))
    return 'may have no other parameter than tls=optional';
  const isTls = protocol === 'smtps:';
  const isLoopback = isLoopbackHost(url);
  if (tls === 'optional' && username !== '' && !isTls && !isLoopback)
    return 'has a password, which is not sent without TLS; remove tls=optional';
  const [user, secret] = [decoded(username), decoded(password)];
  if (user === null || secret === null)
    return 'has a percent sign in the user or the password, which is to be written as %25';
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isTls ? TLS_PORT : SUBMISSION_PORT) : Number(port),
    isTls,
    requiresStartTls: !isTls && !isLoopback && tls === 'required',
    user: user === '' ? undefined : user,
    password: user === '' ? undefined : secret,
  };
}

/** Null where it is not percent-encoded UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
