import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { CallCarrier } from '../../../providers/telephony/call-carrier.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import type { SecondLeg } from '../../../runtime/call/transfers/second-leg.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { CallConclusionService } from '../ends/call-conclusion.service.js';
import { MessageVoicesService } from '../message-voices.service.js';
import { type MonitoredCall, sinceAnswerMs } from '../monitored-call.js';
import { SecondLegsService } from '../second-legs.service.js';
import { FarEndDialler, farEndKey, type PlacingNumber } from './far-end-dialler.js';
import { JoinedLinesService } from './joined-lines.service.js';

/** Where an incoming call is forwarded to. */
export interface Forward {
  /** E.164. */
  readonly to: string;
  readonly ringingTimeoutMs: number;
  readonly maxMs: number;
  /** The number that was called: it places the second leg, if it can. */
  readonly called: { readonly id: number | null; readonly phoneNumber: string };
}

/** How long the far end of a forward may ring: less than operators let a caller wait. */
export const FORWARD_RINGING_SECONDS = 25;

/** Numbers that are tried until the far end rings. */
const MAX_NUMBERS = 3;

/** Calls the far ends of forwards, and joins them with their callers. */
@Injectable()
export class FarEndsService {
  constructor(
    private readonly joined: JoinedLinesService,
    private readonly secondLegs: SecondLegsService,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
    private readonly conclusion: CallConclusionService,
    private readonly voices: MessageVoicesService,
    private readonly logger: Logger,
  ) {}

  /** For one call of the far end, which stops ringing once the call is released. */
  diallerOf(
    { callId, signal }: CallLease,
    key: string,
    { to, ringingTimeoutMs, called }: Omit<Forward, 'maxMs'>,
  ): FarEndDialler {
    const dialler = new FarEndDialler(
      { key, to, ringingTimeoutMs, divertedFrom: called.phoneNumber },
      (err) => this.logger.warn('forward not placed', { callId, err }),
    );
    signal.addEventListener('abort', () => void dialler.stop(), { once: true });
    return dialler;
  }

  /** Lets the two talk, and ends the call. @param leg null: the far end has no line */
  async join(answered: MonitoredCall, leg: SecondLeg | null): Promise<void> {
    if (!leg) return this.conclusion.concludeWithoutAssistant(answered);
    const endedBy = await this.joined.join(answered, leg);
    await this.conclusion.concludeUnassisted(answered, endedBy);
  }

  /** The same after the lines have been taken over here from a process that has died. */
  async joinAgain(answered: MonitoredCall): Promise<void> {
    await this.join(answered, await this.findFarEnd(answered));
  }

  /** Connects a caller who was answered before with a number (E.164), and ends the call. */
  async connect(answered: MonitoredCall, to: string): Promise<void> {
    const { call, active, lease, carrierCallId } = answered;
    const { called, ringingTimeoutMs } = placingOf(answered);
    const { forward } = lease.line;
    if (forward) {
      const maxMs = active.maxDurationSeconds * 1_000 - sinceAnswerMs(lease, call.answeredAt);
      try {
        await forward(carrierCallId, { to, from: called.phoneNumber, ringingTimeoutMs, maxMs });
      } catch (err) {
        if (!(err instanceof CallCarrierError)) throw err;
        this.logger.warn('answered call not forwarded', { callId: lease.callId, err });
        return this.conclusion.concludeUnassisted(answered, 'failed');
      }
      return this.conclusion.concludeForwardedByCarrier(answered);
    }
    const dialler = this.diallerOf(lease, carrierCallId, { to, ringingTimeoutMs, called });
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, lease.signal]);
    void this.voices.watchEnd(answered, signal, () => void dialler.stop());
    try {
      await this.join(answered, await dialler.dial(await this.placingNumbers(answered, called)));
    } finally {
      over.abort();
    }
  }

  /** The line that was taken over. Its number is not called again: the carrier has a call with the same key. */
  private async findFarEnd(answered: MonitoredCall): Promise<SecondLeg | null> {
    const { call, lease, carrierCallId } = answered;
    const to = call.routing?.forwardedTo;
    if (!to) return null;
    const { called, ringingTimeoutMs } = placingOf(answered);
    const standing: PlacingNumber[] = [];
    for (const { carrier, ...number } of await this.placingNumbers(answered, called)) {
      const found = await carrier.findCall(farEndKey(carrierCallId, number.id));
      if (found.found === 'yes' && found.call.end === null) standing.push(number);
    }
    return this.diallerOf(lease, carrierCallId, { to, ringingTimeoutMs, called }).dial(standing);
  }

  /** The called number, then the others of the account, the oldest first. */
  async placingNumbers(
    { call: { userId, clientPhoneNumber: customer }, active, lease }: MonitoredCall,
    called: Forward['called'],
  ): Promise<readonly (PlacingNumber & { readonly carrier: CallCarrier })[]> {
    const own = await this.numbers.listOwned(userId);
    const usable = own.flatMap((number) => {
      const carrier = this.carriers.of(number);
      const isUsable = number.type !== 'caller_id' && 'audio' in carrier.media && carrier.placesHere;
      return isUsable ? [{ id: number.id, phoneNumber: number.phoneNumber, carrier }] : [];
    });
    const calling = { userId, customer, callsPerSecond: active.callsPerSecond, lease };
    return usable
      .toSorted((one, other) => Number(other.id === called.id) - Number(one.id === called.id))
      .slice(0, MAX_NUMBERS)
      .map(({ id, phoneNumber, carrier }) => ({
        id,
        phoneNumber,
        carrier,
        line: lease.line.secondLegsOn(carrier, this.secondLegs.roomFor(calling, { id, carrier })),
      }));
  }
}

/** How the second leg of an answered call is placed. */
function placingOf({ call, active }: MonitoredCall): Pick<Forward, 'called' | 'ringingTimeoutMs'> {
  return {
    called: { id: active.phoneNumberId, phoneNumber: call.assistantPhoneNumber ?? '' },
    ringingTimeoutMs: FORWARD_RINGING_SECONDS * 1_000,
  };
}
