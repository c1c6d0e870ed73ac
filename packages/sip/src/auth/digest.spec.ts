import { describe, expect, it } from '@jest/globals';
import { SipHeaders } from '../message/sip-headers.js';
import { SipRequest } from '../message/sip-message.js';
import { answerChallenge, chooseChallenge, digestResponse } from './digest.js';
import { DigestAuthenticator } from './digest-authenticator.js';

const RFC_7616 = {
  username: 'Mufasa',
  realm: 'http-auth@example.org',
  password: 'Circle of Life',
  nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
  method: 'GET',
  uri: '/dir/index.html',
  qop: { nonceCount: '00000001', clientNonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ' },
};

describe('digestResponse', () => {
  it('gives the responses of RFC 7616 §3.9.1 and RFC 2617 §3.5', () => {
    expect(digestResponse({ ...RFC_7616, algorithm: 'MD5' })).toBe('8ca523f5e9506fed4657c9700eebdbec');
    expect(digestResponse({ ...RFC_7616, algorithm: 'SHA-256' })).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
    const old = {
      ...RFC_7616,
      realm: 'testrealm@host.com',
      password: 'Circle Of Life',
      nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    };
    expect(
      digestResponse({ ...old, algorithm: 'MD5', qop: { nonceCount: '00000001', clientNonce: '0a4f113b' } }),
    ).toBe('6629fae49393a05397450978507c4ef1');
  });
});

describe('chooseChallenge', () => {
  it('prefers the stronger algorithm, and leaves out what it cannot answer', () => {
    const md5 = 'Digest realm="a, b", nonce="1"';
    const sha = 'digest nonce="2",realm="r",algorithm=sha-256,qop="auth-int, auth", opaque="x"';
    expect(chooseChallenge([md5, sha])).toMatchObject({
      algorithm: 'SHA-256',
      nonce: '2',
      qop: true,
      opaque: 'x',
    });
    expect(chooseChallenge([md5])).toMatchObject({ algorithm: 'MD5', realm: 'a, b', qop: false });
    expect(
      chooseChallenge(['Basic realm="r"', 'Digest realm="r", nonce="1", algorithm=SHA-512-256']),
    ).toBeNull();
    expect(chooseChallenge(['Digest realm="r", nonce="1", qop="auth-int"'])).toBeNull();
  });
});

describe('DigestAuthenticator', () => {
  const credentials = { username: 'trunk', password: 'pässword "1"' };
  let nowMs = 1_000_000;
  const authenticator = new DigestAuthenticator(
    'prosa',
    (username) => (username === credentials.username ? ['of a namesake', credentials.password] : []),
    ['SHA-256', 'MD5'],
    () => nowMs,
  );

  function signed(challenge: string, uri = 'sip:1@prosa', login = credentials): SipRequest {
    const request = new SipRequest('INVITE', 'sip:1@prosa', new SipHeaders());
    const answer = answerChallenge(chooseChallenge([challenge])!, { method: 'INVITE', uri }, login);
    request.headers.set('authorization', answer);
    return request;
  }

  it.each([0, 1])('admits who knows the password, by either algorithm', (index) => {
    const challenge = authenticator.challenge('192.0.2.1', false)[index]!;
    expect(authenticator.verify(signed(challenge), '192.0.2.1')).toEqual({
      kind: 'ok',
      ...credentials,
    });
  });

  it('refuses a wrong password, an unknown user, another method and another source', () => {
    const [challenge = ''] = authenticator.challenge('192.0.2.1', false);
    const refused = { kind: 'challenge', stale: false };
    const wrong = { ...credentials, password: 'x' };
    expect(authenticator.verify(signed(challenge, 'sip:1@prosa', wrong), '192.0.2.1')).toEqual(refused);
    const unknown = { username: 'unknown', password: '' };
    expect(authenticator.verify(signed(challenge, 'sip:1@prosa', unknown), '192.0.2.1')).toEqual(refused);
    const other = new SipRequest('REGISTER', 'sip:1@prosa', signed(challenge).headers);
    expect(authenticator.verify(other, '192.0.2.1')).toEqual(refused);
    expect(authenticator.verify(signed(challenge), '192.0.2.9')).toEqual(refused);
    expect(authenticator.verify(new SipRequest('INVITE', 'sip:1@prosa'), '192.0.2.1')).toEqual(refused);
  });

  it('takes a nonce once for each count, and not after its time', () => {
    const [challenge = ''] = authenticator.challenge('192.0.2.1', false);
    const request = signed(challenge);
    expect(authenticator.verify(request, '192.0.2.1').kind).toBe('ok');
    expect(authenticator.verify(request, '192.0.2.1')).toEqual({ kind: 'challenge', stale: true });
    const [later = ''] = authenticator.challenge('192.0.2.1', false);
    nowMs += 301_000;
    expect(authenticator.verify(signed(later), '192.0.2.1')).toEqual({ kind: 'challenge', stale: true });
  });

  it('takes the digest of a request whose URI a proxy has rewritten', () => {
    const [challenge = ''] = authenticator.challenge('192.0.2.1', false);
    expect(authenticator.verify(signed(challenge, 'sip:operator'), '192.0.2.1').kind).toBe('ok');
  });

  it('refuses a nonce that it did not issue', () => {
    expect(
      authenticator.verify(signed('Digest realm="prosa", nonce="a.b.c", qop="auth"'), '192.0.2.1'),
    ).toEqual({
      kind: 'challenge',
      stale: false,
    });
  });
});
