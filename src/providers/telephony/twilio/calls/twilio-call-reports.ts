import type { z } from 'zod';
import type { AnsweredBy } from '../../call/carrier-call.js';
import type { CarrierAccountId } from '../twilio-accounts.js';
import type { TwilioCall } from './twilio-call.js';
import { callBody } from './twilio-call-requests.js';
import type { TwilioCalls } from './twilio-calls.js';

/** `AnsweredBy` of https://www.twilio.com/docs/voice/answering-machine-detection; `unknown` tells nothing. */
const ANSWERERS = new Map<string | null, AnsweredBy>([
  ['human', 'human'],
  ['fax', 'machine'],
  ...['start', 'end_beep', 'end_silence', 'end_other'].map((how) => [`machine_${how}`, 'machine'] as const),
]);

/** What Twilio calls back of calls it was asked for. */
export class TwilioCallReports {
  constructor(private readonly calls: TwilioCalls) {}

  /** See TwilioCallCarrier.takeCallback. */
  take(account: CarrierAccountId, key: string, form: URLSearchParams): boolean {
    const found = this.calls.ofKey(key);
    const call = found?.facts.account === account ? found : undefined;
    // Of the detection, which tells no status.
    if (form.get('CallStatus') === null) return this.takeDetection(call, form);
    const said = callBody.safeParse({
      sid: form.get('CallSid'),
      status: form.get('CallStatus'),
      duration: form.get('CallDuration'),
    });
    if (call && call.forwardKey === key) return said.success && takeForward(call, said.data, form);
    if (!call || !said.success || (call.sid ?? said.data.sid) !== said.data.sid) return false;
    if (call.sid === null && !this.calls.identify(call, said.data.sid)) return false;
    call.takeStatus(said.data.status);
    return true;
  }

  private takeDetection(call: TwilioCall | undefined, form: URLSearchParams): boolean {
    if (!call || (call.sid ?? form.get('CallSid')) !== form.get('CallSid')) return false;
    const answeredBy = ANSWERERS.get(form.get('AnsweredBy'));
    if (answeredBy) call.record.detect(answeredBy);
    return true;
  }
}

/** The call that another one is forwarded to is a call of its own (https://www.twilio.com/docs/voice/twiml/number#attributes). */
function takeForward(
  call: TwilioCall,
  { status, duration }: z.output<typeof callBody>,
  form: URLSearchParams,
): boolean {
  if (form.get('ParentCallSid') !== call.sid) return false;
  call.takeForwardStatus(status, duration ?? null);
  return true;
}
