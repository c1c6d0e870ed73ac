import { afterEach, describe, expect, it } from '@jest/globals';
import { makeCertificate } from '@prosa/testing';
import { MailServer, SilentServer } from '#test/support/mail-server.js';
import { MailRefusedError, MailUnavailableError } from './mailer.js';
import { SmtpMailer } from './smtp-mailer.js';

const MESSAGE = {
  to: 'bia@example.com',
  subject: 'Olá',
  text: 'prosa_inv_secret',
  html: '<p>prosa_inv_secret</p>',
  messageId: '<1@prosa>',
};
const TIMEOUTS = { connectionTimeout: 500, greetingTimeout: 500, socketTimeout: 500 };

describe('SmtpMailer', () => {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  async function serverWith(options: Parameters<typeof MailServer.start>[0] = {}) {
    const server = await MailServer.start(options);
    stops.push(() => server.stop());
    return server;
  }
  const mailerFor = (port: number, differences: object = {}, ca?: string) =>
    new SmtpMailer(
      {
        host: '127.0.0.1',
        port,
        isTls: false,
        requiresStartTls: false,
        user: undefined,
        password: undefined,
        from: 'Prosa <prosa@example.com>',
        ...differences,
      },
      { ...TIMEOUTS, ...(ca === undefined ? {} : { tls: { ca } }) },
    );

  it('hands over both forms of an e-mail', async () => {
    const server = await serverWith();
    await mailerFor(server.port).send(MESSAGE);
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'prosa@example.com', to: ['bia@example.com'], isEncrypted: false });
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).toContain('text/plain');
    expect(mail?.raw).toContain('text/html');
  });

  it('sends nothing, not even its password, where STARTTLS is required and the server has none', async () => {
    const server = await serverWith();
    const mailer = mailerFor(server.port, { requiresStartTls: true, user: 'prosa', password: 'secret' });
    await expect(mailer.send(MESSAGE)).rejects.toBeInstanceOf(MailUnavailableError);
    expect(server.passwords).toEqual([]);
    expect(server.mails).toEqual([]);
  });

  it('encrypts the connection by STARTTLS before the password and the e-mail', async () => {
    const { key, cert, ca } = makeCertificate();
    const server = await serverWith({ key, cert });
    await mailerFor(server.port, { requiresStartTls: true, user: 'prosa', password: 'secret' }, ca).send(
      MESSAGE,
    );
    expect(server.passwords).toEqual(['prosa secret']);
    expect(server.mails[0]?.isEncrypted).toBe(true);
  });

  it('sends nothing to a server whose certificate it does not trust', async () => {
    const { key, cert } = makeCertificate();
    const server = await serverWith({ key, cert });
    const mailer = mailerFor(server.port, { requiresStartTls: true, user: 'prosa', password: 'secret' });
    await expect(mailer.send(MESSAGE)).rejects.toBeInstanceOf(MailUnavailableError);
    expect(server.passwords).toEqual([]);
  });

  it.each([
    ['for-now', MailUnavailableError],
    ['for-good', MailRefusedError],
  ] as const)('tells a recipient who is refused %s', async (refusal, expected) => {
    const server = await serverWith();
    server.refusal = refusal;
    await expect(mailerFor(server.port).send(MESSAGE)).rejects.toBeInstanceOf(expected);
  });

  it('gives up a server that says nothing, and one that is not there', async () => {
    const silent = await SilentServer.start();
    stops.push(() => silent.stop());
    await expect(mailerFor(silent.port).send(MESSAGE)).rejects.toBeInstanceOf(MailUnavailableError);
    const gone = await MailServer.start();
    await gone.stop();
    await expect(mailerFor(gone.port).send(MESSAGE)).rejects.toBeInstanceOf(MailUnavailableError);
  });

  it('has errors without the recipient, the content and the password', async () => {
    const server = await serverWith();
    server.refusal = 'for-good';
    const failure: unknown = await mailerFor(server.port, { user: 'prosa', password: 'hunter2' })
      .send(MESSAGE)
      .catch((error: unknown) => error);
    const shown = JSON.stringify(failure, Object.getOwnPropertyNames(failure));
    expect(shown).not.toMatch(/bia@example|prosa_inv_|hunter2/);
  });
});
