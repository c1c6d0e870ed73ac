import { randomBytes } from 'node:crypto';
import { CallCarrierError } from '../../call-carrier-error.js';
import { TwilioCall, type TwilioCallFacts } from './twilio-call.js';

/** Ended calls are known for so long, and so are calls in doubt. */
const REMEMBERED_MS = 60_000;

/** The calls that this process knows: by our key, by Twilio's id, and by what the next stream of each has to show. */
export class TwilioCalls {
  private readonly byKey = new Map<string, TwilioCall>();
  private readonly bySid = new Map<string, TwilioCall>();
  private readonly byToken = new Map<string, TwilioCall>();

  /** @param onIdentified is called once for each call whose id is known */
  constructor(private readonly onIdentified: (call: TwilioCall) => void) {}

  get identified(): Iterable<TwilioCall> {
    return this.bySid.values();
  }

  ofKey(key: string): TwilioCall | undefined {
    return this.byKey.get(key);
  }

  ofSid(sid: string): TwilioCall | undefined {
    return this.bySid.get(sid);
  }

  ofToken(token: string): TwilioCall | undefined {
    return this.byToken.get(token);
  }

  /** @throws CallCarrierError `no-such-call` */
  get(sid: string): TwilioCall {
    const call = this.bySid.get(sid);
    if (!call) throw new CallCarrierError('no-such-call', 'no');
    return call;
  }

  add(facts: TwilioCallFacts): TwilioCall {
    const call: TwilioCall = new TwilioCall(facts, () => {
      this.expectNoStream(call);
      setTimeout(() => this.forget(call), REMEMBERED_MS).unref();
    });
    if (facts.key !== null) this.byKey.set(facts.key, call);
    return call;
  }

  /**
   * Records the id that Twilio has sent.
   *
   * @returns false when it is the id of another call, which continues, or of another account: the holder of one
   *   account's token may name any id
   */
  identify(call: TwilioCall, sid: string): boolean {
    const known = this.bySid.get(sid);
    if (known === call) return true;
    if (known && (!known.record.end || known.facts.account !== call.facts.account)) return false;
    call.sid = sid;
    this.bySid.set(sid, call);
    this.onIdentified(call);
    return true;
  }

  /** The next stream of the call shows what this returns; one that shows anything else is none of it. */
  expectStream(call: TwilioCall): string {
    this.expectNoStream(call);
    const token = randomBytes(24).toString('base64url');
    call.token = token;
    this.byToken.set(token, call);
    return token;
  }

  /** @param key by which Twilio reports on the call that this one is forwarded to */
  expectForward(call: TwilioCall, key: string): void {
    call.forwardByTwiml(key);
    this.byKey.set(key, call);
  }

  expectNoStream(call: TwilioCall): void {
    if (call.token !== null) this.byToken.delete(call.token);
    call.token = null;
  }

  /** Drops a call in doubt, unless it is proven in the meantime. */
  forgetUnlessProven(call: TwilioCall): void {
    setTimeout(() => {
      if (call.sid === null) this.forget(call);
    }, REMEMBERED_MS).unref();
  }

  forget(call: TwilioCall): void {
    for (const key of [call.facts.key, call.forwardKey]) if (key !== null) this.byKey.delete(key);
    if (call.sid !== null && this.bySid.get(call.sid) === call) this.bySid.delete(call.sid);
    this.expectNoStream(call);
  }
}
