import { z } from 'zod';
import { EgressError } from '#src/common/egress/egress-error.js';
import type { PlaceCall } from '../../call/call-placing.js';
import { CallCarrierError } from '../../call-carrier-error.js';
import type { CarrierAccountId, TwilioAccounts } from '../twilio-accounts.js';
import type { FormFields, TwilioApi } from '../twilio-api.js';
import { CALL_STATUSES, type TwilioCallStatus } from './twilio-call.js';
import { TwilioError } from '../twilio-error.js';

const REQUEST_MS = 10_000;
/** https://www.twilio.com/docs/voice/api/call-resource: `Timeout` of a new call. */
const MAX_RINGING_SECONDS = 600;
const CALL_SID = /^CA[0-9a-f]{32}$/;

/** What Twilio answers and calls back of a call: https://www.twilio.com/docs/voice/api/call-resource#call-properties */
/** `duration` is in seconds, once the call is over (https://www.twilio.com/docs/voice/api/call-resource#call-properties). */
export const callBody = z.object({
  sid: z.string().regex(CALL_SID),
  status: z.enum(CALL_STATUSES),
  duration: z.coerce.number().int().nonnegative().nullish().catch(null),
});

const lookedUpBody = callBody.extend({ from: z.string().catch(''), to: z.string().catch('') });

export function isCallSid(text: string): boolean {
  return CALL_SID.test(text);
}

/** What Twilio says of a call. */
export interface LookedUpCall {
  /** E.164, or what Twilio shows of a caller who hides; empty for a call that it does not know. */
  readonly from: string;
  readonly to: string;
  readonly status: TwilioCallStatus;
  /** Null while it is not over. */
  readonly durationSeconds: number | null;
}

export interface NewTwilioCall {
  readonly twiml: string;
  /** Twilio reports the progress of the call there. */
  readonly callbackUrl: string;
  /** Twilio detects answering machines. */
  readonly detectsMachines: boolean;
}

/** What is asked of Twilio for calls. Each fails with a CallCarrierError that tells how far the request came. */
export class TwilioCallRequests {
  constructor(private readonly accounts: Pick<TwilioAccounts, 'apiOf'>) {}

  create(
    account: CarrierAccountId,
    request: PlaceCall,
    call: NewTwilioCall,
  ): Promise<z.output<typeof callBody>> {
    const detection = call.detectsMachines ? detectionOf(call.callbackUrl) : [];
    const form = [...formOf(request, call), ...detection];
    return this.request(account, (api) => api.post('/Calls.json', form, callBody, REQUEST_MS));
  }

  /** Leaves what the call is doing, and does this. */
  async redirect(account: CarrierAccountId, sid: string, twiml: string): Promise<void> {
    await this.request(account, (api) =>
      api.post(`/Calls/${sid}.json`, [['Twiml', twiml]], callBody, REQUEST_MS),
    );
  }

  /** @returns the call's state after it; null for one that has ended before, or is unknown to Twilio */
  async complete(account: CarrierAccountId, sid: string): Promise<TwilioCallStatus | null> {
    const form: FormFields = [['Status', 'completed']];
    try {
      const ended = await this.request(account, (api) =>
        api.post(`/Calls/${sid}.json`, form, callBody, REQUEST_MS),
      );
      return ended.status;
    } catch (error) {
      // It has ended in the meantime (21220).
      if (error instanceof CallCarrierError && error.code === 'rejected') return null;
      throw error;
    }
  }

  /** The state of the call; null when it cannot be read now. */
  async look(account: CarrierAccountId, sid: string): Promise<LookedUpCall | null> {
    try {
      const found = await this.request(account, (api) =>
        api.get(`/Calls/${sid}.json`, {}, lookedUpBody, REQUEST_MS),
      );
      const { from = '', to = '', status = 'failed', duration = null } = found ?? {};
      return { from, to, status, durationSeconds: duration };
    } catch (error) {
      if (error instanceof CallCarrierError) return null;
      throw error;
    }
  }

  private async request<T>(account: CarrierAccountId, ask: (api: TwilioApi) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.apiOf(account));
    } catch (error) {
      throw asCarrierError(error);
    }
  }

  private async apiOf(account: CarrierAccountId): Promise<TwilioApi> {
    try {
      return await this.accounts.apiOf(account);
    } catch (error) {
      // Without credentials, or where these cannot be read now, nothing is sent.
      throw new CallCarrierError('unavailable', 'no', { cause: error });
    }
  }
}

/** https://www.twilio.com/docs/voice/api/call-resource#create-a-call-resource */
function formOf({ from, to, ringingTimeoutMs }: PlaceCall, call: NewTwilioCall): FormFields {
  const seconds = Math.min(Math.max(Math.ceil(ringingTimeoutMs / 1_000), 1), MAX_RINGING_SECONDS);
  return [
    ['To', to],
    ['From', from],
    ['Twiml', call.twiml],
    ['Timeout', String(seconds)],
    ['StatusCallback', call.callbackUrl],
    ['StatusCallbackMethod', 'POST'],
    ...['initiated', 'ringing', 'answered', 'completed'].map(
      (event) => ['StatusCallbackEvent', event] as const,
    ),
  ];
}

/** The talk begins at once; what Twilio hears comes later (https://www.twilio.com/docs/voice/answering-machine-detection). */
function detectionOf(callbackUrl: string): FormFields {
  return [
    ['MachineDetection', 'Enable'],
    ['AsyncAmd', 'true'],
    ['AsyncAmdStatusCallback', callbackUrl],
    ['AsyncAmdStatusCallbackMethod', 'POST'],
  ];
}

function asCarrierError(error: unknown): unknown {
  if (!(error instanceof TwilioError)) return error;
  const { kind, retryAfterMs, cause } = error;
  // The error is no verdict on the call: with mended credentials it can be placed.
  if (kind === 'unauthorized') return new CallCarrierError('unavailable', 'no', { cause: error });
  if (kind === 'refused') return new CallCarrierError('rejected', 'no', { cause: error });
  if (kind === 'rate-limited')
    return new CallCarrierError('rate-limited', 'no', { cause: error, retryAfterMs });
  const isNowhere = cause instanceof EgressError && ['dns', 'forbidden-address'].includes(cause.code);
  const isTimeout = cause instanceof EgressError && cause.code === 'timeout';
  return new CallCarrierError(isTimeout ? 'timeout' : 'unavailable', isNowhere ? 'no' : 'maybe', {
    cause: error,
  });
}
