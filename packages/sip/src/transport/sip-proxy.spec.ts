import { describe, expect, it } from '@jest/globals';
import { SipRequest } from '../message/sip-message.js';
import { SipProxy } from './sip-proxy.js';

const proxy = new SipProxy({ host: '10.0.0.5', port: 5_060 });
const OPERATOR = { protocol: 'tcp', address: '203.0.113.9', port: 5_080 } as const;
const OVER_TLS = { ...OPERATOR, protocol: 'tls' } as const;

function requestTo(to: string): SipRequest {
  const request = new SipRequest('INVITE', 'sip:1@operator.example');
  request.headers.set('to', to);
  return request;
}

describe('A proxy in front', () => {
  it('gets all messages but those over TLS', () => {
    expect(proxy.wayTo(OPERATOR)).toMatchObject({ protocol: 'udp', address: '10.0.0.5', port: 5_060 });
    expect(proxy.wayTo(OVER_TLS)).toBe(OVER_TLS);
  });

  it('receives the destination of a request that begins a dialog as a literal address', () => {
    const request = requestTo('<sip:1@operator.example>');
    proxy.direct(request, OPERATOR);
    expect(request.headers.get('route')).toBe('<sip:10.0.0.5:5060;lr>');
    expect(request.headers.get('x-prosa-target')).toBe('sip:203.0.113.9:5080;transport=tcp');
    expect(request.uri).toBe('sip:1@operator.example');
  });

  it('passes the Route of an outbound proxy on, and takes it for its own only once', () => {
    const request = requestTo('<sip:1@operator.example>');
    request.headers.set('route', '<sip:edge.operator.example;lr>');
    proxy.direct(request, OPERATOR);
    expect(request.headers.all('route')).toEqual(['<sip:10.0.0.5:5060;lr>']);
    expect(request.headers.all('x-prosa-route')).toEqual(['<sip:edge.operator.example;lr>']);
    const plain = requestTo('<sip:1@operator.example>');
    proxy.direct(plain, OPERATOR);
    expect(plain.headers.has('x-prosa-route')).toBe(false);
  });

  it.each([
    ['within a dialog', '<sip:1@operator.example>;tag=a', OPERATOR],
    ['over TLS', '<sip:1@operator.example>', OVER_TLS],
  ])('receives no destination for a request %s', (_which, to, endpoint) => {
    const request = requestTo(to);
    proxy.direct(request, endpoint);
    expect(['route', 'x-prosa-target'].filter((name) => request.headers.has(name))).toEqual([]);
  });

  const PROXY = { protocol: 'udp', address: '10.0.0.5', port: 5_060 } as const;
  it.each([
    ['what the proxy says', PROXY, ['203.0.113.9'], '203.0.113.9'],
    ['nothing, where the proxy says nothing', PROXY, [], null],
    ['nothing, where it says two', PROXY, ['203.0.113.9', '203.0.113.10'], null],
    ['nothing, where it says no address', PROXY, ['operator.example'], null],
    ['nothing, from another port', { ...PROXY, port: 5_061 }, ['203.0.113.9'], null],
    ['nothing, from another address', { ...PROXY, address: '10.0.0.6' }, ['203.0.113.9'], null],
    ['nothing, over TCP', { ...PROXY, protocol: 'tcp' as const }, ['203.0.113.9'], null],
    ['any peer connected over TLS', OVER_TLS, ['198.51.100.1'], '203.0.113.9'],
  ])('believes of the origin %s', (_what, source, values, origin) => {
    const request = requestTo('<sip:1@operator.example>');
    if (values.length > 0) request.headers.set('x-prosa-source', values);
    expect(proxy.originOf(request, source)).toBe(origin);
  });
});
