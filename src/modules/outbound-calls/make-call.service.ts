import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TooManyRequestsError } from '../../common/errors/errors.js';
import { KeyedQueue } from '../../common/concurrency/keyed-queue.js';
import { toDialledE164 } from '../../common/phone/e164.js';
import { dialCallJob } from '../active-calls/dial-call.job.js';
import { JobsService } from '../../queues/jobs.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CarrierBreakerService } from '../active-calls/carrier-breaker/carrier-breaker.service.js';
import { BadPhoneNumberError } from '../calls/calls.errors.js';
import { CallEventsPublisher } from '../calls/call-events-publisher.js';
import type { MakeCallRequest } from './dto/make-call.request.js';
import { CallReservationsService } from './call-reservations.service.js';
import { CallerNumbersService } from './caller-numbers.service.js';

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
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly callerNumbers: CallerNumbersService,
    private readonly reservations: CallReservationsService,
    private readonly breaker: CarrierBreakerService,
    private readonly events: CallEventsPublisher,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Writes the call; a worker dials it. Works with inactive assistants too. Returns the call's id.
   *
   * @throws BadPhoneNumberError | AssistantNotFoundError | NoCallerNumberError | CallNotAffordableError
   * @throws CarrierUnavailableError | DestinationRefusedError | DoNotCallError | OutsideCallingHoursError
   * @throws ParallelCallsLimitError
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
    const { from, phoneNumberId, carrier } = await this.callerNumbers.find(userId, assistant);
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
    const callId = await this.reservations.reserve(call, breaker);
    this.events.changed({ userId, id: callId });
    this.jobs.wake(dialCallJob, { callId });
    return callId;
  }
}
