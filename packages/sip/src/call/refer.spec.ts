import { describe, expect, it } from '@jest/globals';
import { SipRequest } from '../message/sip-message.js';
import { keyOfInfo, parseReferNotify } from './refer.js';

function notifyOf(headers: Readonly<Record<string, string>>, type?: string, body = ''): SipRequest {
  const notify = new SipRequest('NOTIFY', 'sip:a@b');
  for (const [name, value] of Object.entries(headers)) notify.headers.set(name, value);
  return type === undefined ? notify : notify.setBody(type, body);
}

const REFER = { event: 'refer', 'subscription-state': 'active;expires=60' };
const over = (reason: string) => ({ ...REFER, 'subscription-state': `terminated;reason=${reason}` });

describe('A NOTIFY about a transfer', () => {
  it.each(['noresource', 'timeout', 'giveup', 'rejected', 'deactivated', 'probation', ''])(
    'is the last one without a body when it says terminated;reason=%s',
    (reason) => {
      expect(parseReferNotify(notifyOf(over(reason)))).toEqual({ status: null, final: true });
    },
  );

  it.each([
    ['application/octet-stream', '\0\u0001\u0002'],
    ['text/plain', 'done'],
    ['message/sipfrag', ''],
    ['message/sipfrag', 'Call-ID: 17\r\n'],
    ['application/sdp', 'v=0\r\n'],
  ])('is the last one with %s in its body', (type, body) => {
    expect(parseReferNotify(notifyOf(over('noresource'), type, body))).toEqual({ status: null, final: true });
  });

  it.each([
    ['message/sipfrag;version=2.0', 'SIP/2.0 486 Busy Here\r\n', 486],
    ['message/sipfrag', 'sip/2.0 200 OK', 200],
    ['text/plain', 'SIP/2.0 603 Decline\r\n', 603],
    ['message/sipfrag', '\r\n SIP/2.0  404 Not Found\r\nWarning: 399 x "y"\r\n', 404],
    [
      'multipart/mixed;boundary=b',
      '--b\r\nContent-Type: message/sipfrag\r\n\r\nSIP/2.0 200 OK\r\n--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n',
      200,
    ],
  ])('tells the status of a body of %s: %j', (type, body, status) => {
    expect(parseReferNotify(notifyOf(REFER, type, body))).toEqual({ status, final: true });
  });

  it.each([
    [
      'progress',
      notifyOf(REFER, 'message/sipfrag', 'SIP/2.0 180 Ringing\r\n'),
      { status: 180, final: false },
    ],
    [
      'the end before an answer',
      notifyOf(over('timeout'), 'message/sipfrag', 'SIP/2.0 183 x'),
      { status: 183, final: true },
    ],
    ['nothing', notifyOf(REFER), { status: null, final: false }],
    [
      'a compact form and an id',
      notifyOf({ ...over('noresource'), event: 'Refer ;id=7' }),
      { status: null, final: true },
    ],
    [
      'capitals',
      notifyOf({ event: 'REFER', 'subscription-state': 'TERMINATED' }),
      { status: null, final: true },
    ],
  ])('may tell of %s', (_name, notify, expected) => {
    expect(parseReferNotify(notify)).toEqual(expected);
  });

  it.each(['message-summary', 'referee', 'presence', ''])('is none when its event is %j', (event) => {
    expect(parseReferNotify(notifyOf({ ...over('noresource'), event }))).toBeNull();
  });
});

describe('A key in an INFO', () => {
  const keyIn = (body: string, type = 'application/dtmf-relay') =>
    keyOfInfo(new SipRequest('INFO', 'sip:a@b').setBody(type, body));

  it.each([
    ['Signal=5\r\nDuration=160\r\n', '5'],
    ['Signal= 5\r\nDuration= 160\r\n', '5'],
    ['signal = *\nduration = 250', '*'],
    ['Duration=160\r\nSignal=#', '#'],
    ['Signal=a', 'A'],
    ['Signal="7"', '7'],
    ['Signal=7;Duration=100', '7'],
    ['Signal=*\0', '*'],
    ['7', '7'],
    ['Signal=05', '5'],
    // By the number of the event.
    ['Signal=10', '*'],
    ['Signal=11', '#'],
    ['Signal=12\r\nDuration=100', 'A'],
    ['Signal=15', 'D'],
  ])('%j is %s', (body, key) => expect(keyIn(body)).toBe(key));

  it.each(['Signal=16', 'Signal=', 'Signal=55', 'Signal=!', 'Duration=160', ''])('is none in %j', (body) =>
    expect(keyIn(body)).toBeNull(),
  );

  it('is alone in the body of another type', () => {
    expect(keyIn('7\r\n', 'application/dtmf')).toBe('7');
    expect(keyIn('13', 'application/dtmf')).toBe('B');
    expect(
      keyIn('p=Digit-Collection\r\ny=Digits\r\n\r\nd=7\r\n', 'application/vnd.nortelnetworks.digits'),
    ).toBe('7');
    expect(keyIn('7', 'text/plain')).toBeNull();
  });
});
