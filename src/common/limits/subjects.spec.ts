import { describe, expect, it } from '@jest/globals';
import type { Request } from 'express';
import { hashToken, makeToken } from '../auth/opaque-token.js';
import { addressOf, isLimited, loginOf, tokenOf } from './subjects.js';

const requestWith = (parts: Partial<Record<keyof Request, unknown>>) =>
  ({ headers: {}, query: {}, body: undefined, ...parts }) as Request;

describe('addressOf', () => {
  it('counts an IPv4 address and its form in IPv6 as one', () => {
    expect(addressOf(requestWith({ ip: '203.0.113.9' }))).toBe('203.0.113.9');
    expect(addressOf(requestWith({ ip: '::ffff:203.0.113.9' }))).toBe('203.0.113.9');
  });

  it('counts the /64 of an IPv6 address, however it is written', () => {
    const same = ['2001:db8:1:2::1', '2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::%eth0'];
    expect(new Set(same.map((ip) => addressOf(requestWith({ ip }))))).toEqual(new Set(['2001:db8:1:2::/64']));
    expect(addressOf(requestWith({ ip: '2001:db8:1:3::1' }))).toBe('2001:db8:1:3::/64');
  });

  it('counts what is no address, as a proxy may send it, as one subject', () => {
    for (const ip of [undefined, '', 'unknown', '_hidden', 'x'.repeat(10_000)]) {
      expect(addressOf(requestWith({ ip }))).toBe('unknown');
    }
  });
});

describe('tokenOf', () => {
  const token = makeToken('prosa_');
  const session = makeToken('prosa_sess_');
  const hashOf = (text: string) => hashToken(text).toString('hex').slice(0, 32);
  const hash = hashOf(token);

  it('finds the token that the guards read, and shows only its hash', () => {
    expect(tokenOf(requestWith({ headers: { authorization: `Bearer ${token}` } }))).toBe(hash);
    expect(tokenOf(requestWith({ headers: { authorization: `bearer ${token}` } }))).toBe(hash);
    expect(tokenOf(requestWith({ headers: { cookie: `a=b; prosa_session=${session}` } }))).toBe(
      hashOf(session),
    );
  });

  it('takes the cookie for the token unless a bearer token is sent, which wins even when it is wrong', () => {
    const cookie = `prosa_session=${session}`;
    const other = { access_token: token };

    expect(tokenOf(requestWith({ headers: { cookie }, query: other, body: other }))).toBe(hashOf(session));
    expect(tokenOf(requestWith({ headers: { cookie, authorization: 'Basic x' } }))).toBe(hashOf(session));
    expect(tokenOf(requestWith({ headers: { cookie, authorization: `Bearer ${token}` } }))).toBe(hash);
    expect(tokenOf(requestWith({ headers: { cookie, authorization: 'Bearer x' } }))).toBeNull();
  });

  it('tracks nothing for a publishable key, which all visitors of a page share', () => {
    const authorization = `Bearer ${makeToken('prosa_pub_')}`;
    expect(tokenOf(requestWith({ headers: { authorization } }))).toBeNull();
  });

  it('tracks nothing for a token of wrong form or checksum', () => {
    const forged = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`;
    for (const authorization of ['', 'Bearer', 'Bearer x', `Basic ${token}`, `Bearer ${forged}`]) {
      expect(tokenOf(requestWith({ headers: { authorization } }))).toBeNull();
    }
    const access_token = token;
    expect(tokenOf(requestWith({ body: { access_token }, query: { access_token } }))).toBeNull();
  });
});

describe('loginOf', () => {
  const of = (ip: string, email: unknown) => loginOf(requestWith({ ip, body: { email } }));

  it('ties an e-mail, whatever its case, to the address it is tried from', () => {
    expect(of('203.0.113.9', ' Ana@Example.com ')).toBe(of('203.0.113.9', 'ana@example.com'));
    expect(of('203.0.113.9', 'ana@example.com')).not.toBe(of('203.0.113.10', 'ana@example.com'));
    expect(of('203.0.113.9', 'ana@example.com')).not.toBe(of('203.0.113.9', 'eva@example.com'));
  });

  it('keeps no e-mail and no more than a hash of a long one', () => {
    expect(of('203.0.113.9', 'ana@example.com')).toMatch(/^[\da-f]{32}$/);
    expect(of('203.0.113.9', 'a'.repeat(100_000))).toMatch(/^[\da-f]{32}$/);
  });

  it('knows no login without an e-mail', () => {
    for (const email of [undefined, null, 7, {}, ['ana@example.com']])
      expect(of('203.0.113.9', email)).toBeNull();
  });
});

describe('isLimited', () => {
  it('spares what the operator asks, and nothing that only looks like it', () => {
    const spared = [
      '/health/live',
      '/health/ready',
      '/metrics',
      '/docs',
      '/docs/x.css',
      '/docs-json',
      '/docs-yaml',
    ];
    expect(spared.filter((path) => isLimited(requestWith({ path })))).toEqual([]);
    const limited = [
      '/',
      '/api/user/me',
      '/API/health',
      '/healthy',
      '/metrics2',
      '/docs-json2',
      '//health/live',
    ];
    expect(limited.filter((path) => !isLimited(requestWith({ path })))).toEqual([]);
  });
});
