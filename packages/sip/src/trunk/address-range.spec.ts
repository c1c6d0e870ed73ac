import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { AddressIndex } from './address-index.js';
import { isWideRange, parseAddressRange, plainAddress } from './address-range.js';

describe('Ranges of addresses', () => {
  it.each([
    '0.0.0.0/0',
    '10.0.0.0/8',
    '198.51.100.0/23',
    '::/0',
    '2001:db8::/47',
    '2001:db8::/32',
    // All of IPv4, as an IPv6 socket or a translator writes it.
    '::ffff:0.0.0.0/96',
    '::ffff:198.51.100.0/119',
    '::FFFF:c633:6400/100',
    '::/96',
    '::/80',
    '::/48',
    '64:ff9b::/96',
    '64:ff9b::/64',
    '64:ff9b::198.51.100.0/119',
  ])('are wide: %s', (range) => expect(isWideRange(range)).toBe(true));

  it.each([
    '198.51.100.20',
    '198.51.100.0/24',
    '198.51.100.20/32',
    '2001:db8::1',
    '2001:db8::/48',
    '2001:db8::/64',
    '::1',
    '::ffff:198.51.100.20',
    '::ffff:198.51.100.0/120',
    '64:ff9b::198.51.100.0/120',
    '64:ff9c::/48',
  ])('are not wide: %s', (range) => expect(isWideRange(range)).toBe(false));

  it('of IPv4-mapped addresses are ranges of IPv4', () => {
    expect(parseAddressRange('::ffff:198.51.100.77/120')).toEqual(parseAddressRange('198.51.100.0/24'));
    expect(parseAddressRange('::ffff:198.51.100.77')).toEqual(parseAddressRange('198.51.100.77/32'));
    expect(plainAddress('::ffff:198.51.100.77')).toBe('198.51.100.77');
  });
});

describe('AddressIndex', () => {
  const ipv4 = fc.ipV4();
  const ipv6 = fc.ipV6();
  const range = fc.oneof(
    ipv4,
    ipv6,
    fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([address, bits]) => `${address}/${bits}`),
    fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })).map(([address, bits]) => `${address}/${bits}`),
  );

  /** As ipaddr.js has it, range by range. */
  const holds = (text: string, source: string) => {
    const address = ipaddr.process(source);
    const [network, bits] = text.includes('/')
      ? ipaddr.parseCIDR(text)
      : ([ipaddr.process(text), ipaddr.process(text).kind() === 'ipv4' ? 32 : 128] as const);
    return network.kind() === address.kind() && address.match(network, bits);
  };
  const isMapped = (text: string) =>
    ipaddr
      .parse(text.split('/')[0] ?? '')
      .toString()
      .startsWith('::ffff:');

  it('finds the ranges that hold an address, as they are found one by one', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), fc.oneof(ipv4, ipv6), (ranges, source) => {
        fc.pre(!ranges.some(isMapped));
        const index = new AddressIndex<{ owner: string; range: string }>();
        const values = ranges.map((text, at) => ({ owner: String(at % 3), range: text }));
        for (const value of values) index.add(parseAddressRange(value.range), value);
        const found = new Set(index.find(source).flatMap((listing) => listing.values));
        expect(found).toEqual(new Set(values.filter((value) => holds(value.range, source))));
        for (const owner of ['0', '1', '2']) {
          const own = new Set(index.find(source).flatMap((listing) => listing.of(owner)));
          expect(own).toEqual(new Set([...found].filter((value) => value.owner === owner)));
        }
        for (const value of values) index.remove(parseAddressRange(value.range), value);
        expect(index.find(source)).toEqual([]);
      }),
    );
  });

  it('finds nothing for what is no address', () => {
    const index = new AddressIndex<{ owner: string }>();
    index.add(parseAddressRange('0.0.0.0/0'), { owner: '1' });
    expect(index.find('example.com')).toEqual([]);
    expect(index.find('::ffff:192.0.2.1')).toHaveLength(1);
  });
});
