import { describe, expect, it } from '@jest/globals';
import { divertingPartiesOf, targetHistoryOf, wantedPartyOf } from './diverting-parties.js';
import { SipRequest } from './sip-message.js';

function invite(headers: Readonly<Record<string, string | readonly string[]>>): SipRequest {
  const request = new SipRequest('INVITE', 'sip:+551130000001@prosa.test');
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
  return request;
}

const DIVERSION =
  '"Store, main" <sip:+551130000001@op.example>;reason=no-answer;counter=1, <tel:+551130000002>;reason=unknown';
const HISTORY =
  '<sip:+551130000001@op.example?Reason=SIP%3Bcause%3D486>;index=1, <sip:+551130000002@op.example;cause=486>;index=1.1';

describe('The parties that have forwarded a call', () => {
  it('are those of Diversion, whether in one line or in several', () => {
    const parties = ['+551130000001', '+551130000002'];
    expect(divertingPartiesOf(invite({ diversion: DIVERSION }))).toEqual(parties);
    const lines = parties.map((number) => `<sip:${number}@op.example>;reason=unknown`);
    expect(divertingPartiesOf(invite({ diversion: lines }))).toEqual(parties);
    expect(targetHistoryOf(invite({ diversion: DIVERSION }))).toEqual([]);
  });

  it('are among the targets of History-Info, with the present one', () => {
    expect(targetHistoryOf(invite({ 'history-info': HISTORY }))).toEqual(['+551130000001', '+551130000002']);
  });

  it.each([
    ['nothing', {}],
    ['what is no address', { diversion: 'x', 'history-info': ';;,' }],
  ])('are none of %s', (_title, headers) => {
    expect(divertingPartiesOf(invite(headers))).toEqual([]);
    expect(targetHistoryOf(invite(headers))).toEqual([]);
  });

  it('are twenty at most, however long the header is', () => {
    const value = Array.from({ length: 500 }, (_, at) => `<sip:+5511300${at + 10_000}@a>`).join(',');
    expect(divertingPartiesOf(invite({ diversion: value }))).toHaveLength(20);
  });
});

describe('The party that a caller wanted', () => {
  const to = '"Front desk" <sip:+551130000009@op.example>;tag=a';

  it.each([
    [{ to }, '+551130000009'],
    [{ to, 'p-called-party-id': '<sip:+551130000001@ims.op.example;user=phone>' }, '+551130000001'],
    [{ to, 'p-called-party-id': '<tel:+55-11-3000-0001>;npi' }, '+551130000001'],
    // Our login is no number.
    [{ to, 'p-called-party-id': '<sip:clinic42@ims.op.example>' }, '+551130000009'],
    [{ to: '<sip:op.example>' }, ''],
    [{}, ''],
  ])('of %j is %s', (headers, party) => {
    expect(wantedPartyOf(invite(headers))).toBe(party);
  });
});
