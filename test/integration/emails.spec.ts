import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { AlertsService } from '../../src/modules/alerts/alerts.service.js';
import { EmailDeliveryService } from '../../src/modules/emails/email-delivery.service.js';
import { PasswordRequestsService } from '../../src/modules/auth/password-links/requests/password-requests.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { MailServer } from '../support/mail-server.js';
import { until } from '../support/until.js';

const PASSWORD = 'correct horse battery';
const NEW_PASSWORD = 'horse staple battery';

describe('e-mails', () => {
  let app: TestApp;
  let server: MailServer;
  let owner: TestAccount;

  beforeAll(async () => {
    server = await MailServer.start();
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      RATE_LIMITS: 'on',
      TRUST_PROXY: '1',
      PUBLIC_URL: 'https://prosa.example',
      SMTP_URL: server.url,
      SMTP_FROM: 'Prosa <prosa@example.com>',
    });
    owner = await app.account({ email: 'owner@example.com', password: PASSWORD });
  });
  afterEach(() => {
    server.refusal = 'none';
    server.mails.length = 0;
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });

  const invite = (email: string, account: TestAccount = owner) =>
    app.as(account).post('/api/user/invitations').send({ email, role: 'operator' });
  const forgot = (email: string, address = '198.51.100.7') =>
    app.http.post('/api/auth/password/forgot').set('X-Forwarded-For', address).send({ email });
  const mailTo = (address: string) =>
    until(() => server.mails.some(({ to }) => to.includes(address))).then(() => server.textTo(address));
  const statusOf = async (recipient: string) => {
    const [row] = await app.query<{ status: string; sealed_content: string | null }>(
      'SELECT status, sealed_content FROM emails WHERE recipient = $1 ORDER BY created_at DESC',
      [recipient],
    );
    return row;
  };

  it('bring an invitation, whose link lets the person in', async () => {
    const { body } = await invite('bia@example.com').expect(201);
    expect(body.data.emailed).toBe(true);
    const text = await mailTo('bia@example.com');
    expect(text).toContain(`https://prosa.example/app/join#${body.data.token}`);
    expect(server.mails[0]).toMatchObject({ from: 'prosa@example.com', to: ['bia@example.com'] });
    const token = /#(prosa_inv_\w+)/.exec(text)?.[1];
    await app.http.post('/api/auth/join').send({ token, name: 'Bia', password: PASSWORD }).expect(201);
  });

  it('are kept sealed while they wait, and without content afterwards', async () => {
    server.refusal = 'for-now';
    const { body } = await invite('sealed@example.com').expect(201);
    const waiting = await statusOf('sealed@example.com');
    expect(waiting?.status).toBe('waiting');
    expect(waiting?.sealed_content).not.toContain(body.data.token);
    server.refusal = 'none';
    await mailTo('sealed@example.com');
    await until(async () => (await statusOf('sealed@example.com'))?.status === 'sent');
    expect((await statusOf('sealed@example.com'))?.sealed_content).toBeNull();
  });

  it('are sent by a later attempt of the queue when the server was away', async () => {
    server.refusal = 'for-now';
    await invite('later@example.com').expect(201);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(server.mails).toEqual([]);
    server.refusal = 'none';
    await mailTo('later@example.com');
  }, 30_000);

  it('are not tried again when the server refuses them for good', async () => {
    server.refusal = 'for-good';
    await invite('refused@example.com').expect(201);
    await until(async () => (await statusOf('refused@example.com'))?.status === 'refused');
    expect((await statusOf('refused@example.com'))?.sealed_content).toBeNull();
  });

  it('name no account whose name has a link in it, and no header of its own', async () => {
    const evil = await app.account({ email: 'evil@example.com' });
    await app.query('UPDATE users SET name = $2 WHERE id = $1', [
      evil.userId,
      'Win\r\nBcc: victim@example.com\r\n\r\nhttps://evil.example',
    ]);
    await invite('target@example.com', evil).expect(201);
    await mailTo('target@example.com');
    const raw = server.mails[0]?.raw ?? '';
    expect(raw).not.toContain('evil.example');
    expect(raw).not.toContain('victim@example.com');
    expect(server.mails[0]?.to).toEqual(['target@example.com']);
  });

  it('are at most ten a day to one address; further links are passed on by hand', async () => {
    const emailed: boolean[] = [];
    for (let turn = 0; turn < 12; turn++) {
      const { body } = await invite('flooded@example.com').expect(201);
      emailed.push(body.data.emailed);
    }
    expect(emailed).toEqual([...Array(10).fill(true), false, false]);
  });

  it('of other accounts do not count against a password link', async () => {
    const stranger = await app.account({ email: 'stranger@example.com' });
    const { userId } = await app.account({ email: 'invited@example.com', password: PASSWORD });
    for (let turn = 0; turn < 10; turn++) await invite('invited@example.com', stranger).expect(201);
    await forgot('invited@example.com', '198.51.100.31').expect(200);
    await until(
      async () => (await app.query('SELECT FROM emails WHERE user_id = $1', [userId])).length === 1,
    );
  });

  it('bring a password link that a member has asked for', async () => {
    const answer = await forgot('owner@example.com').expect(200);
    const text = await mailTo('owner@example.com');
    const token = /app\/password#(prosa_reset_\w+)/.exec(text)?.[1];
    await app.http.post('/api/auth/password/reset').send({ token, password: NEW_PASSWORD }).expect(200);
    expect(answer.body).toEqual({
      message: 'Se este e-mail tiver acesso, um link para criar uma nova senha chegará em instantes',
    });
  });

  it('go to no unknown e-mail, which gets the same answer', async () => {
    const known = await forgot('bia@example.com', '198.51.100.8').expect(200);
    const unknown = await forgot('unknown@example.com', '198.51.100.9').expect(200);
    expect(unknown.body).toEqual(known.body);
    await mailTo('bia@example.com');
    await until(async () => (await app.query('SELECT FROM password_requests')).length === 0);
    expect(server.mails.map(({ to }) => to)).toEqual([['bia@example.com']]);
  });

  it('are at most five a day for a person who asks, and leave links of owners valid', async () => {
    const { body: joined } = await invite('often@example.com').expect(201);
    await app.http
      .post('/api/auth/join')
      .set('X-Forwarded-For', '198.51.100.20')
      .send({ token: joined.data.token, name: 'Lia', password: PASSWORD })
      .expect(201);
    const { body } = await app.as(owner).get('/api/user/members').expect(200);
    const { id } = body.members.find(({ email }: { email: string }) => email === 'often@example.com');
    const made = await app.as(owner).post(`/api/user/members/${id}/password-link`).expect(201);
    expect(made.body.data.emailed).toBe(true);
    const service = app.app.get(PasswordRequestsService);
    for (let turn = 0; turn < 8; turn++) {
      await forgot('often@example.com', `198.51.100.${30 + turn}`).expect(200);
      const [row] = await app.query<{ id: string }>('SELECT id FROM password_requests');
      if (row) await service.answer({ requestId: row.id });
    }
    const [links] = await app.query<{ count: number }>(
      'SELECT count(*)::integer AS count FROM password_links WHERE member_id = $1',
      [id],
    );
    expect(links?.count).toBe(5);
    await app.http
      .post('/api/auth/password/reset')
      .set('X-Forwarded-For', '198.51.100.60')
      .send({ token: made.body.data.token, password: NEW_PASSWORD })
      .expect(200);
  });

  it('tell the owners of an account of a limit that refuses visitors, once a day', async () => {
    const { userId } = await app.account({ email: 'warned@example.com' });
    const reached = {
      userId,
      limit: 'daily_spend_per_account',
      value: 1,
      assistant: { id: 1, uuid: 'u', name: 'Bia' },
      isOfAccount: true,
      resetsInSeconds: 60,
      webhookUrl: null,
    };
    await app.app.get(AlertsService).report(reached);
    await app.app.get(AlertsService).report(reached);
    const text = await mailTo('warned@example.com');
    expect(text).toContain('gasto diário da conta');
    expect(server.mails).toHaveLength(1);
  });

  it('whose link has ended are not sent', async () => {
    server.refusal = 'for-now';
    await invite('ended@example.com').expect(201);
    await app.query("UPDATE emails SET expires_at = now() WHERE recipient = 'ended@example.com'");
    const [row] = await app.query<{ id: string }>(
      "SELECT id FROM emails WHERE recipient = 'ended@example.com'",
    );
    await until(async () => {
      await app.app.get(EmailDeliveryService).send({ emailId: row?.id ?? '' });
      return (await statusOf('ended@example.com'))?.status === 'expired';
    });
    server.refusal = 'none';
    expect(server.mails).toEqual([]);
  });
});

describe('without a mail server', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('links are passed on by hand, and requests for them say that no e-mail is sent', async () => {
    const owner = await app.account();
    const { body } = await app
      .as(owner)
      .post('/api/user/invitations')
      .send({ email: 'bia@example.com', role: 'viewer' })
      .expect(201);
    expect(body.data).toMatchObject({ emailed: false, token: expect.stringMatching(/^prosa_inv_/) });
    expect(await app.query('SELECT FROM emails')).toEqual([]);
    await app.http.post('/api/auth/password/forgot').send({ email: owner.email }).expect(409);
    const { body: options } = await app.http.get('/api/auth/options').expect(200);
    expect(options).toMatchObject({ password_links_by_email: false });
  });
});
