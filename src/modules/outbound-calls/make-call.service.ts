import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../common/errors/errors.js';
import { KeyedQueue } from '../../common/concurrency/keyed-queue.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import { toDialledE164 } from '../../common/phone/e164.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { JobsService } from '../../queues/jobs.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { DailySpendCapError, InsufficientBalanceError } from '../billing/billing.errors.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { type OpenBreaker, secondsUntilRetry } from '../active-calls/carrier-breaker/open-breaker.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import {
  BadPhoneNumberError,
  CallBeingPlacedError,
  CallNotAffordableError,
  CarrierUnavailableError,
  NoCallerNumberError,
} from '../calls/calls.errors.js';
import { CallEventsPublisher } from '../calls/call-events-publisher.js';
import { CallsService } from '../calls/calls.service.js';
import type { MakeCallRequest } from './dto/make-call.request.js';
import { SANDBOX_NUMBER } from '../calls/customer-number.js';
import { type OutboundCall, OutboundCallsService } from './outbound-calls.service.js';

/** Calls of one account that are started or wait to be, in a process. */
const MAX_STARTS = 50;

/** Calls one number for one account, now. */
@Injectable()
export class MakeCallService {
  /**
   * The database would let an account's starts wait for its wallet one after another as well, each with a connection that
   * other accounts need.
   */
  private readonly starts = new KeyedQueue<number>();

  constructor(
    private readonly calls: CallsService,
    private readonly outbound: OutboundCallsService,
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
    private readonly breaker: CarrierBreakerService,
    private readonly effect: IdempotentEffectService,
    private readonly events: CallEventsPublisher,
    private readonly transactions: Transactions,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Writes the call; a worker dials it. Works with inactive assistants too. Returns the call's id.
   *
   * @throws BadPhoneNumberError | AssistantNotFoundError | NoCallerNumberError | CallNotAffordableError
   * @throws CarrierUnavailableError | DoNotCallError | OutsideCallingHoursError | ParallelCallsLimitError
   * @throws TooManyRequestsError when the account starts more at once than this process lets wait
   * @throws CallBeingPlacedError when the number is being called already, unless an Idempotency-Key tells the calls apart
   */
  async make(userId: number, request: MakeCallRequest): Promise<number> {
    if (this.starts.lengthOf(userId) >= MAX_STARTS) throw new TooManyRequestsError(1);
    return this.starts.run(userId, () => this.makeNext(userId, request));
  }

  private async makeNext(userId: number, request: MakeCallRequest): Promise<number> {
    const { defaultCountry } = await this.accounts.get(userId);
    const to = toDialledE164(request.phone_number, defaultCountry);
    if (to === null) throw new BadPhoneNumberError();
    const assistant = await this.assistants.get(userId, request.assistant_id);
    const { from, phoneNumberId, carrier } = await this.callerNumber(userId, assistant);
    const call = {
      userId,
      assistantId: assistant.id,
      from,
      phoneNumberId,
      to,
      attemptId: randomUUID(),
      campaign: null,
      leadId: null,
      variables: request.variables ?? {},
    };
    // Asked before the transaction, which must not wait for another connection.
    const breaker = await this.breaker.findOpen(carrier.name);
    const callId = await this.transactions.runWithVerifiedCommit((tx) => this.reserveOnce(call, breaker, tx));
    this.events.changed({ userId, id: callId });
    this.jobs.wake(dialCallJob, { callId });
    return callId;
  }

  private reserveOnce(call: OutboundCall, breaker: OpenBreaker | null, tx: Tx): Promise<number> {
    return this.effect.once(tx, {
      make: async () => {
        // What was made before the carrier went away is still told.
        if (breaker?.state === 'open') throw new CarrierUnavailableError(secondsUntilRetry(breaker));
        if (!this.effect.isKeyed) await this.refuseRepetition(call, tx);
        return this.reserve(call, tx);
      },
      referenceOf: String,
      recall: async (callId) => Number(callId),
    });
  }

  /** A caller who lost the answer repeats the request; nobody is to be called twice for that. */
  private async refuseRepetition({ userId, to }: OutboundCall, tx: Tx): Promise<void> {
    // Whoever is about to call for this account waits here, so that one of several at once comes first.
    await this.accounts.lockLimits(userId, tx);
    if (await this.calls.isBeingPlaced(userId, to, tx)) throw new CallBeingPlacedError();
  }

  private async reserve(call: OutboundCall, tx: Tx): Promise<number> {
    try {
      const { callId } = await this.outbound.reserve(tx, call);
      return callId;
    } catch (error) {
      const isMoney = error instanceof InsufficientBalanceError || error instanceof DailySpendCapError;
      throw isMoney ? new CallNotAffordableError(error) : error;
    }
  }

  private async callerNumber(
    userId: number,
    { phoneNumberId: chosenId }: AssistantDetails,
  ): Promise<{ from: string; phoneNumberId: number | null; carrier: CallCarrier }> {
    const chosen = chosenId === null ? null : await this.numbers.find(userId, chosenId);
    const owned = chosen ? [chosen] : await this.numbers.listOwned(userId);
    // A caller id is shown where somebody chose it.
    const first = owned.find(({ type }) => type !== 'caller_id') ?? owned[0];
    const carrier = this.carriers.of(first ?? null);
    if (first) return { from: first.phoneNumber, phoneNumberId: first.id, carrier };
    if (!carrier.capabilities.reachesPeople) return { from: SANDBOX_NUMBER, phoneNumberId: null, carrier };
    throw new NoCallerNumberError();
  }
}
