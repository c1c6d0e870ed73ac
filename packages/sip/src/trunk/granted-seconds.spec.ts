import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SipResponse } from '../message/sip-message.js';
import { grantedSeconds } from './granted-seconds.js';

const USER = '9f3c0a7b5e1d4826';
const SENT = `<sip:${USER}@192.0.2.7:5060>`;
const OTHER = '<sip:desk@198.51.100.9:5062>;expires=3600';

function granted(contacts: readonly string[], expires?: string): number | null {
  const response = new SipResponse(200);
  response.headers.set('contact', contacts);
  if (expires !== undefined) response.headers.set('expires', expires);
  return grantedSeconds(response, SENT);
}

describe('The time that a registrar grants', () => {
  it.each([
    ['as it was sent', `${SENT};expires=40`],
    ['without brackets', `sip:${USER}@192.0.2.7:5060;expires=40`],
    [
      'with a name and other parameters around',
      `"Line 1" ${SENT};q=0.7;expires="40";+sip.instance="<urn:uuid:1>"`,
    ],
    ['with a transport', `<sip:${USER}@192.0.2.7:5060;transport=UDP>;expires=40`],
    ['with the scheme and parameters in capitals', `<SIP:${USER}@192.0.2.7:5060;OB>;EXPIRES=40`],
    ['with an escaped user', `<sip:%39f3c0a7b5e1d4826@192.0.2.7:5060>;expires=40`],
    [
      'with the address that the registrar has seen',
      `<sip:${USER}@203.0.113.40:61234;transport=tcp>;expires=40`,
    ],
    ['with a host name', `<sip:${USER}@sbc.operator.example>;expires=40`],
    ['without the port', `<sip:${USER}@192.0.2.7>;expires=40`],
    ['as sips', `<sips:${USER}@192.0.2.7:5060>;expires=40`],
    ['with another method and user parameter', `<sip:${USER}@192.0.2.7:5060;user=phone>;expires=40`],
  ])('is found where our Contact comes back %s', (_name, contact) => {
    expect(granted([contact])).toBe(40);
    expect(granted([OTHER, contact, '<sip:car@198.51.100.10>;expires=7200'], '1800')).toBe(40);
  });

  it('is that of the only Contact, whatever user it has', () => {
    expect(granted(['<sip:anon-17@10.1.1.1:5090>;expires=25'])).toBe(25);
  });

  it('is that of the exact Contact before one that has its user alone', () => {
    expect(granted([`<sip:${USER}@203.0.113.40:4711>;expires=5`, `${SENT};expires=300`])).toBe(300);
  });

  it('is the shortest of those that may be ours', () => {
    const old = `<sip:${USER}@203.0.113.40:4711>;expires=280`;
    expect(granted([old, `<sip:${USER}@203.0.113.40:4712>;expires=90`])).toBe(90);
  });

  it.each([
    ['of the Contact before that of the header', [`${SENT};expires=50`], '600', 50],
    ['of the header where the Contact has none', [SENT, OTHER], '70', 70],
    ['of the header where there is no Contact', [], '80', 80],
    ['of the header where no Contact is ours', [OTHER, '<sip:b@198.51.100.1>;expires=20'], '90', 90],
    ['of any Contact where neither says more', [OTHER, '<sip:b@198.51.100.1>;expires=20'], undefined, 20],
  ])('is that %s', (_name, contacts, expires, expected) => {
    expect(granted(contacts, expires)).toBe(expected);
  });

  it.each<[string, string[], string | undefined]>([
    ['nothing', [], undefined],
    ['no time', [SENT], undefined],
    ['0', [`${SENT};expires=0`], '0'],
    ['nonsense', [`${SENT};expires=soon`, 'Contact', '*', '<'], 'later'],
  ])('is not known where the registrar says %s', (_name, contacts, expires) => {
    expect(granted(contacts, expires)).toBeNull();
  });

  it('is found in whatever place and form, and never longer than what was granted', () => {
    const address = fc.ipV4().map((ip) => `${ip}:${5_000 + ip.length}`);
    const suffix = fc.constantFrom('', ';transport=tcp', ';ob', ';lr;transport=udp', ';maddr=192.0.2.1');
    const scheme = fc.constantFrom('sip', 'SIP', 'Sip');
    const others = fc.array(fc.integer({ min: 1, max: 86_400 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        scheme,
        address,
        suffix,
        fc.integer({ min: 1, max: 7_200 }),
        others,
        fc.nat(5),
        (...parts) => {
          const [sip, host, parameters, seconds, otherSeconds, place] = parts;
          const contacts = otherSeconds.map((expires, at) => `<sip:phone${at}@${host}>;expires=${expires}`);
          contacts.splice(place, 0, `<${sip}:${USER}@${host}${parameters}>;expires=${seconds}`);
          expect(granted(contacts, '9999')).toBe(seconds);
        },
      ),
    );
  });
});
