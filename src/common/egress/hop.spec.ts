import { describe, expect, it } from '@jest/globals';
import { EgressError } from './egress-error.js';
import { firstHop, nextHop, parseTarget, type EgressMethod, type Hop } from './hop.js';

const refusal = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { code: error.code, message: error.message };
  }
};

describe('parseTarget', () => {
  it.each(['https://shop.example', 'http://shop.example:8080/path?q=1'])('lets %s through', (text) => {
    expect(parseTarget(text).href).toBe(new URL(text).href);
  });

  it.each(['shop.example', 'https://', '/path'])('says that %j is not valid', (text) => {
    const expected = { code: 'invalid-url', message: 'The URL is not valid.' };
    expect(refusal(() => parseTarget(text))).toEqual(expected);
  });

  it.each(['ftp://shop.example/', 'file:///etc/passwd', 'data:text/plain,x'])('refuses %s', (text) => {
    const expected = { code: 'invalid-url', message: 'Only http and https URLs are allowed.' };
    expect(refusal(() => parseTarget(text))).toEqual(expected);
  });

  it.each(['https://name@shop.example/', 'https://:word@shop.example/', 'https://name:word@shop.example/'])(
    'refuses the credentials of %s',
    (text) => {
      const message = 'A URL with a user name or a password is not allowed.';
      expect(refusal(() => parseTarget(text))).toEqual({ code: 'invalid-url', message });
    },
  );
});

describe('firstHop', () => {
  it('names Prosa as the agent unless the caller names another', () => {
    const request = { url: 'https://shop.example/', method: 'GET' } as const;
    expect([...firstHop(request).headers]).toEqual([['user-agent', 'Prosa']]);
    expect([...firstHop({ ...request, headers: { 'User-Agent': 'Shop' } }).headers]).toEqual([
      ['user-agent', 'Shop'],
    ]);
  });

  it('leaves the headers of the connection to the connection', () => {
    const headers = { Host: 'inside.example', 'Transfer-Encoding': 'chunked', 'X-Order': '7' };
    const hop = firstHop({ url: 'https://shop.example/', method: 'POST', headers, body: 'a' });
    expect(Object.fromEntries(hop.headers)).toEqual({ 'user-agent': 'Prosa', 'x-order': '7' });
  });
});

describe('nextHop', () => {
  const HEADERS = {
    accept: 'text/plain',
    'accept-language': 'pt-BR',
    'content-type': 'text/csv',
    'user-agent': 'Shop',
    authorization: 'Bearer x',
    cookie: 'a=b',
    'x-api-key': 'secret',
  };
  const hopOf = (method: EgressMethod): Hop => ({
    url: new URL('https://shop.example/a/b'),
    method,
    headers: new Map(Object.entries(HEADERS)),
    body: 'body',
  });

  it('ends where nothing says where to go on', () => {
    expect(nextHop(hopOf('GET'), 302, undefined)).toBeNull();
  });

  it.each([200, 201, 300, 304, 305, 400])('ends at a %i, whatever its location', (status) => {
    expect(nextHop(hopOf('GET'), status, '/elsewhere')).toBeNull();
  });

  it('resolves the new address against the old one, and applies the same checks', () => {
    expect(nextHop(hopOf('GET'), 302, 'c?d=1')?.url.href).toBe('https://shop.example/a/c?d=1');
    expect(() => nextHop(hopOf('GET'), 302, 'https://name:word@shop.example/')).toThrow(EgressError);
    expect(() => nextHop(hopOf('GET'), 302, 'file:///etc/passwd')).toThrow(EgressError);
  });

  it('shows every header to the same origin and only the plain ones to another', () => {
    const same = nextHop(hopOf('GET'), 307, '/c');
    expect(Object.fromEntries(same?.headers ?? [])).toEqual(HEADERS);
    for (const location of ['https://other.example/', 'http://shop.example/', 'https://shop.example:8443/']) {
      const other = nextHop(hopOf('GET'), 307, location);
      expect(Object.fromEntries(other?.headers ?? [])).toEqual({
        accept: 'text/plain',
        'accept-language': 'pt-BR',
        'content-type': 'text/csv',
        'user-agent': 'Shop',
      });
    }
  });

  it.each<[number, EgressMethod, EgressMethod]>([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [303, 'DELETE', 'GET'],
  ])('after a %i a %s goes on as %s, without its body', (status, method, expected) => {
    const next = nextHop(hopOf(method), status, '/c');
    expect(next).toMatchObject({ method: expected, body: undefined });
    expect(next?.headers.has('content-type')).toBe(false);
  });

  it.each<[number, EgressMethod]>([
    [301, 'GET'],
    [301, 'PUT'],
    [302, 'PATCH'],
    [303, 'GET'],
    [303, 'HEAD'],
    [307, 'POST'],
    [308, 'POST'],
  ])('after a %i a %s stays what it is, with its body', (status, method) => {
    const next = nextHop(hopOf(method), status, '/c');
    expect(next).toMatchObject({ method, body: 'body' });
    expect(next?.headers.get('content-type')).toBe('text/csv');
  });
});
