import { describe, expect, it, jest } from '@jest/globals';
import { SipHeaders } from '../message/sip-headers.js';
import { SipRequest, SipResponse } from '../message/sip-message.js';
import { SessionTimer } from './session-timer.js';

/** A timer whose waits are noted and never end. */
function timerOf() {
  const after = jest.fn((_delayMs: number, _callback: () => void) => () => {});
  const clock = { nowMs: () => 0, date: () => new Date(0), after };
  const never = () => {
    throw new Error('The session is neither refreshed nor over.');
  };
  return { timer: new SessionTimer(clock, never, never), after };
}

describe('A session of 0 seconds', () => {
  it.each(['0', '0;refresher=uac', '0 ;refresher=uas'])('has no timer in an answer: %s', (value) => {
    const { timer, after } = timerOf();
    const response = new SipResponse(200);
    response.headers.set('session-expires', value);
    timer.accept(response);
    expect(timer.snapshot()).toBeNull();
    expect(after).not.toHaveBeenCalled();
  });

  it('has no timer in a request without the extension, to which 422 would be new', () => {
    const { timer, after } = timerOf();
    const request = new SipRequest('INVITE', 'sip:a@b');
    request.headers.set('session-expires', '0');
    const headers = new SipHeaders();
    expect(timer.minimumIfTooShort(request)).toBeNull();
    timer.answer(request, headers);
    expect(timer.snapshot()).toBeNull();
    expect(headers.has('session-expires')).toBe(false);
    expect(after).not.toHaveBeenCalled();
  });
});
