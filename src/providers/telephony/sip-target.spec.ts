import { describe, expect, it } from '@jest/globals';
import { isForbiddenSipUri, sipTargetOf, sipTargetResolver } from './sip-target.js';

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'sip.example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example.com': ['10.0.0.5'],
  'mixed.example.com': ['93.184.215.14', '169.254.169.254'],
  'empty.example.com': [],
};
const lookup = async (host: string) => {
  const found = ADDRESSES[host];
  if (!found) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return found.map((address) => ({ address }));
};

describe('A SIP address', () => {
  it.each([
    ['sip:ana@sip.example.com', 'sip.example.com', null],
    ['ana@SIP.example.com', 'sip.example.com', null],
    ['sips:ana@sip.example.com:5061;transport=tls', 'sip.example.com', 5061],
    ['100@192.0.2.7:5060', '192.0.2.7', 5060],
    ['sip:ana@[2001:db8::1]:5060?subject=x', '2001:db8::1', 5060],
  ])('leads to a host and a port: %s', (uri, host, port) => {
    expect(sipTargetOf(uri)).toEqual({ host, port });
  });

  it.each(['+5511987654321', '100', 'ana', 'sip:', '@sip.example.com', 'a@b@c', 'ana@ sip.example.com'])(
    'is not what has no host: %p',
    (text) => {
      expect(sipTargetOf(text)).toBeNull();
    },
  );

  it('is resolved to every address of its host, which may be dialled then', async () => {
    expect(await sipTargetResolver([], lookup)('sip:ana@sip.example.com:5070')).toEqual({
      host: 'sip.example.com',
      port: 5070,
      addresses: ADDRESSES['sip.example.com'],
    });
  });

  it.each([
    ['a name that leads into a private network', 'ana@inside.example.com'],
    ['a name of which one address is forbidden', 'ana@mixed.example.com'],
    ['a private address', 'ana@192.168.0.1'],
    ['the loopback address in IPv6', 'sip:ana@[::1]:5060'],
    ['a mapped address', 'sip:ana@[::ffff:10.0.0.1]'],
  ])('is refused when it is dialled: %s', async (_case, uri) => {
    await expect(sipTargetResolver([], lookup)(uri)).rejects.toMatchObject({ code: 'forbidden-address' });
  });

  it('is dialled inside where the operator admits it', async () => {
    const resolve = sipTargetResolver(['10.0.0.0/24'], lookup);
    expect((await resolve('ana@inside.example.com')).addresses).toEqual(['10.0.0.5']);
    expect((await resolve('ana@10.0.0.9')).addresses).toEqual(['10.0.0.9']);
    await expect(resolve('ana@10.0.1.9')).rejects.toMatchObject({ code: 'forbidden-address' });
  });

  it('is refused when its name server does not answer in time', async () => {
    const resolve = sipTargetResolver([], () => new Promise(() => {}), 10);
    await expect(resolve('ana@slow.example.com')).rejects.toMatchObject({ code: 'timeout' });
  });

  it.each(['ana@nowhere.example.com', 'ana@empty.example.com'])(
    'is refused without an address: %s',
    async (uri) => {
      await expect(sipTargetResolver([], lookup)(uri)).rejects.toMatchObject({ code: 'dns' });
    },
  );

  it.each(['ana@10.1.2.3', 'sip:ana@127.1', 'ana@2130706433', 'ana@localhost', 'ana@0x7f.0.0.1:5060'])(
    'is known for private without a look-up: %s',
    (uri) => {
      expect(isForbiddenSipUri(uri, [])).toBe(true);
    },
  );

  it.each(['ana@sip.example.com', 'ana@93.184.215.14', '+5511987654321', '100'])('may be kept: %s', (uri) => {
    expect(isForbiddenSipUri(uri, [])).toBe(false);
  });

  it('may be kept where the operator admits the address', () => {
    expect(isForbiddenSipUri('ana@10.1.2.3', ['10.0.0.0/8'])).toBe(false);
  });
});
