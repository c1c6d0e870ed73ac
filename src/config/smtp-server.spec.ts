import { describe, expect, it } from '@jest/globals';
import { mailbox, smtpUrl } from './smtp-server.js';

describe('SMTP_URL', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, isTls: false, requiresStartTls: true }],
    ['smtps://mail.example', { port: 465, isTls: true, requiresStartTls: false }],
    ['smtp://a%40b:p%2Fw@mail.example:25', { user: 'a@b', password: 'p/w', port: 25 }],
    ['smtp://relay:25?tls=optional', { requiresStartTls: false, user: undefined }],
    ['smtp://127.0.0.1:2525', { requiresStartTls: false }],
    ['smtp://[::1]:2525', { host: '::1', requiresStartTls: false }],
  ])('%s', (value, expected) => {
    expect(smtpUrl.parse(value)).toMatchObject(expected);
  });

  it.each([
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://mail.example/path',
    'smtp://mail.example?ignoreTLS=true',
    'smtp://mail.example?tls=off',
    'smtp://user:password@mail.example?tls=optional',
    'smtp://user:100%sure@mail.example',
    'smtp://us%ffer:password@mail.example',
  ])('%s is refused', (value) => {
    expect(smtpUrl.safeParse(value).success).toBe(false);
  });
});

describe('SMTP_FROM', () => {
  it.each(['prosa@example.com', 'Prosa <prosa@example.com>', 'Clínica São José <a@example.com>'])(
    '%s',
    (value) => {
      expect(mailbox.safeParse(value).success).toBe(true);
    },
  );

  it.each([
    'prosa',
    'Prosa <prosa>',
    'a@example.com, b@example.com',
    'A\r\nBcc: x@example.com <a@example.com>',
  ])('%j is refused', (value) => {
    expect(mailbox.safeParse(value).success).toBe(false);
  });
});
