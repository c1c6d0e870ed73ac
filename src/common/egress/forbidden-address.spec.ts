import { describe, expect, it } from '@jest/globals';
import { assertCidrs, isForbiddenAddress } from './forbidden-address.js';

const FORBIDDEN: Record<string, string[]> = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  'link-local': ['169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'cloud metadata': ['169.254.169.254', '100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.254'],
  'unique-local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'documentation and reserved': [
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '255.255.255.255',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    '100::1',
    '4000::1',
    'e000::1',
  ],
  'IPv4-mapped': ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8'],
  'IPv4-compatible': ['::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  'IPv4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:808:808'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  '6to4': ['2002:7f00:1::', '2002:808:808::1', '192.88.99.1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:80ff:fffe'],
  'not an address': [
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0177.0.0.1',
    '127.0.0.1 ',
    '[::1]',
  ],
};

describe('isForbiddenAddress', () => {
  it.each(Object.entries(FORBIDDEN))('forbids %s', (_class, addresses) => {
    expect(addresses.filter((address) => !isForbiddenAddress(address, []))).toEqual([]);
  });

  it('lets global unicast addresses through, up to the edges of the forbidden ranges', () => {
    const addresses = [
      '1.1.1.1',
      '9.255.255.255',
      '11.0.0.0',
      '100.63.255.255',
      '100.128.0.0',
      '126.255.255.255',
      '128.0.0.0',
      '169.253.255.255',
      '172.15.255.255',
      '172.32.0.0',
      '192.167.255.255',
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '2606:4700:4700::1111',
      '2a00:1450:4001:80b::200e',
    ];
    expect(addresses.filter((address) => isForbiddenAddress(address, []))).toEqual([]);
  });

  it('permits the addresses of a configured range of the same family, and no others', () => {
    const allowCidrs = ['10.1.0.0/16', 'fd00:1::/32'];
    expect(isForbiddenAddress('10.1.255.255', allowCidrs)).toBe(false);
    expect(isForbiddenAddress('10.2.0.0', allowCidrs)).toBe(true);
    expect(isForbiddenAddress('fd00:1::5', allowCidrs)).toBe(false);
    expect(isForbiddenAddress('fd00:2::5', allowCidrs)).toBe(true);
    // Its last bytes look like 10.0.0.1, but the address embeds no IPv4 address.
    expect(isForbiddenAddress('fd00:1::a00:1', allowCidrs)).toBe(false);
    expect(isForbiddenAddress('::ffff:10.1.0.1', allowCidrs)).toBe(true);
  });

  it('looks inside an embedding address even when its range is allowed', () => {
    const allowCidrs = ['::/0', '10.1.0.0/16'];
    const outcome = Object.fromEntries(
      [
        '64:ff9b::808:808',
        '64:ff9b::a01:1',
        '64:ff9b::7f00:1',
        '::ffff:127.0.0.1',
        '::127.0.0.1',
        '::ffff:0:127.0.0.1',
        '2002:7f00:1::1',
        '2002:808:808::1',
        '2001:0:4136:e378:8000:63bf:80ff:fffe',
        '2001:0:4136:e378:8000:63bf:f7f7:f7f7',
        '::1',
      ].map((address) => [address, isForbiddenAddress(address, allowCidrs)]),
    );
    expect(outcome).toEqual({
      '64:ff9b::808:808': false,
      '64:ff9b::a01:1': false,
      '64:ff9b::7f00:1': true,
      '::ffff:127.0.0.1': true,
      '::127.0.0.1': true,
      '::ffff:0:127.0.0.1': true,
      '2002:7f00:1::1': true,
      '2002:808:808::1': false,
      '2001:0:4136:e378:8000:63bf:80ff:fffe': true,
      '2001:0:4136:e378:8000:63bf:f7f7:f7f7': false,
      '::1': false,
    });
  });
});

describe('assertCidrs', () => {
  it('accepts full addresses with a prefix length', () => {
    expect(() => assertCidrs(['10.0.0.0/8', '127.0.0.2/32', 'fd00::/8', '::1/128'])).not.toThrow();
  });

  it.each(['10/8', '10.0.0.0', '10.0.0.0/33', 'fd00::/129', '0x0a.0.0.0/8', 'internal.example/8', '/8', ''])(
    'refuses "%s" and names it',
    (cidr) => {
      expect(() => assertCidrs(['10.0.0.0/8', cidr])).toThrow(`"${cidr}"`);
    },
  );
});
