import type { AddressInfo } from 'node:net';
import { createServer, type Server as NetServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The whole message as it came, headers included. */
  readonly raw: string;
  readonly isEncrypted: boolean;
}

export type Refusal = 'none' | 'for-now' | 'for-good';

/** A mail server that keeps what it gets. */
export class MailServer {
  readonly mails: ReceivedMail[] = [];
  readonly passwords: string[] = [];
  refusal: Refusal = 'none';

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  static async start(options: SMTPServerOptions = {}): Promise<MailServer> {
    const holder: { mail?: MailServer } = {};
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: options.key ? [] : ['STARTTLS'],
      logger: false,
      closeTimeout: 1_000,
      ...options,
      onAuth({ username = '', password = '' }, _session, done) {
        holder.mail?.passwords.push(`${username} ${password}`);
        done(null, { user: username });
      },
      onRcptTo(_address, _session, done) {
        const refusal = holder.mail?.refusal ?? 'none';
        if (refusal === 'none') done();
        else
          done(
            Object.assign(new Error('no mailbox here'), { responseCode: refusal === 'for-good' ? 550 : 451 }),
          );
      },
      onData(stream, session, done) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          holder.mail?.mails.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString('utf8'),
            isEncrypted: session.secure,
          });
          done();
        });
      },
    });
    // A client that refuses the certificate ends its connection.
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    holder.mail = new MailServer(server, (server.server.address() as AddressInfo).port);
    return holder.mail;
  }

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`;
  }

  /** The plain form of the newest e-mail to an address, with its lines joined again. */
  textTo(address: string): string {
    const mail = this.mails.findLast(({ to }) => to.includes(address));
    if (!mail) throw new Error(`no e-mail to ${address}`);
    return plainPartOf(mail.raw);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
    });
  }
}

/** The first part, which is the plain form, without its transfer encoding. */
export function plainPartOf(raw: string): string {
  const [, part = ''] = /Content-Type: text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(raw) ?? [];
  const encoding = /Content-Type: text\/plain[^]*?Content-Transfer-Encoding: (\S+)/.exec(raw)?.[1];
  if (encoding === 'base64') return Buffer.from(part, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return part;
  const bytes = part
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** A server that accepts connections and never says a word. */
export class SilentServer {
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: NetServer,
    readonly port: number,
  ) {}

  static async start(): Promise<SilentServer> {
    const holder: { silent?: SilentServer } = {};
    const server = createServer((socket) => {
      holder.silent?.sockets.add(socket);
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    holder.silent = new SilentServer(server, (server.address() as AddressInfo).port);
    return holder.silent;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }
}
