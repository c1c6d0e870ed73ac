import { Injectable } from '@nestjs/common';
import type { DomainError } from '../../../common/errors/domain-error.js';
import { CallsConfig } from '../../../config/config.js';
import type { Tx } from '../../../database/transactions.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { AssistantDetails } from '../../assistants/assistant-details.js';
import { type Affordable, BillingService, type Charge } from '../../billing/billing.service.js';
import type { VisitorBudget } from '../../billing/spend/visitor-budget.js';
import { VisitorSpendService } from '../../billing/spend/visitor-spend.service.js';
import { type CallCost, type CallPrices, costOf, totalOf } from './call-prices.js';
import type { ActiveCall } from '../active-call.entity.js';
import { ActiveCallsRepository } from '../active-calls.repository.js';
import type { NewActiveCall } from '../running-call.js';
import type { StoredCall } from '../../calls/call-facts.js';
import { ParallelCallsLimitError } from '../../calls/calls.errors.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import { ConcurrencySlotsRepository } from '../concurrency-slots.repository.js';
import { VisitorLinesService } from './visitor-lines.service.js';

const SECONDS_A_MINUTE = 60;

interface CallToBegin {
  readonly call: Pick<StoredCall, 'id' | 'userId'>;
  readonly assistant: AssistantDetails;
}

/** A call, and how far it has come. */
export type BegunCall = Pick<NewActiveCall, 'callId' | 'carrier' | 'phoneNumberId'> &
  Pick<CallTerms, 'lineIsFree'> &
  Partial<Pick<NewActiveCall, 'stage' | 'carrierCallId' | 'leaseToken' | 'leaseUntil' | 'voiceProcessId'>>;

/** How a call differs from one that the owner has a carrier make. */
export interface CallTerms {
  /** Whose visitor calls: it is their money that is spent. */
  readonly budget?: VisitorBudget | undefined;
  /** A visitor calls: the line is of the share of visitors. */
  readonly byVisitor?: boolean;
  /** The line costs nothing. */
  readonly lineIsFree?: boolean;
}

/** The same of calls that are asked for together. */
export interface RoomTerms extends CallTerms {
  /** The numbers (E.164) of which is to be known whether the account has a call with them; null: of none. */
  readonly among?: readonly string[] | null;
}

/** For how many calls there is room, and why not for more. */
export interface Room {
  /** One line for each. */
  readonly lines: readonly number[];
  readonly shortage: DomainError | null;
  /** How many the account may make a second; null: no limit. */
  readonly callsPerSecond: number | null;
  /** Those of the numbers that were asked about with which the account has a call; that stays so as well. Null where none were. */
  readonly customers: readonly string[] | null;
}

/** What a call takes up while it lasts: a line of the plan and of the platform, and money for its longest duration. */
@Injectable()
export class CallCapacityService {
  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly lines: ConcurrencySlotsRepository,
    private readonly accounts: AccountsService,
    private readonly billing: BillingService,
    private readonly numbers: PhoneNumbersService,
    private readonly visitors: VisitorSpendService,
    private readonly visitorLines: VisitorLinesService,
    private readonly config: CallsConfig,
  ) {}

  /**
   * Takes it all for one call, or throws, in the transaction that writes the call.
   *
   * @throws ParallelCallsLimitError | VisitorCallsLimitError | InsufficientBalanceError | DailySpendCapError | VisitorLimitError
   */
  async take(
    { call, assistant }: CallToBegin,
    begun: Omit<BegunCall, 'callId'>,
    tx: Tx,
    terms: CallTerms = {},
  ): Promise<void> {
    const ofTrunk = await this.admit(call.userId, [{ trunkId: begun.phoneNumberId }], tx);
    if (ofTrunk.shortage) throw ofTrunk.shortage;
    const room = await this.roomFor(call.userId, assistant, 1, tx, terms);
    if (room.shortage) throw room.shortage;
    await this.occupy(call.userId, assistant, room, [{ callId: call.id, ...begun }], tx, terms);
  }

  /**
   * Those of the account's calls, in their order, for which their SIP trunks have room. That stays so until the
   * transaction ends, as it has the account's limits locked.
   *
   * @param calls with the id of the number they are placed from or came in to; one without a limit takes all
   */
  async admit<ToBegin extends { readonly trunkId: number | null }>(
    userId: number,
    calls: readonly ToBegin[],
    tx: Tx,
  ): Promise<{ readonly admitted: readonly ToBegin[]; readonly shortage: ParallelCallsLimitError | null }> {
    const ids = [...new Set(calls.flatMap(({ trunkId }) => trunkId ?? []))];
    const limits =
      ids.length === 0 ? new Map<number, number>() : await this.numbers.findCallLimits(userId, ids, tx);
    if (limits.size === 0) return { admitted: calls, shortage: null };
    await this.accounts.lockLimits(userId, tx);
    const open = new Map(await this.lines.countByNumber(userId, [...limits.keys()], tx));
    let shortage: ParallelCallsLimitError | null = null;
    const admitted = calls.filter(({ trunkId }) => {
      const limit = trunkId === null ? undefined : limits.get(trunkId);
      if (trunkId === null || limit === undefined) return true;
      const before = open.get(trunkId) ?? 0;
      if (before < limit) open.set(trunkId, before + 1);
      else shortage ??= new ParallelCallsLimitError('trunk', limit);
      return before < limit;
    });
    return { admitted, shortage };
  }

  /** How many of so many calls the account may begin now; that stays so until the transaction ends. */
  async roomFor(
    userId: number,
    assistant: AssistantDetails,
    wanted: number,
    tx: Tx,
    { among = null, ...terms }: RoomTerms = {},
  ): Promise<Room> {
    const { maxCallsInParallel, maxCallsPerSecond } = await this.accounts.lockLimits(userId, tx);
    const callsPerSecond = maxCallsPerSecond ?? this.config.accountCallsPerSecond ?? null;
    const beyondPlan = new ParallelCallsLimitError('plan', maxCallsInParallel);
    const { count, customers } = await this.openLines(userId, among, tx);
    const known = { callsPerSecond, customers };
    const ofPlan = maxCallsInParallel - count;
    if (ofPlan <= 0) return { lines: [], shortage: beyondPlan, ...known };
    const ofVisitors = terms.byVisitor ? await this.shortageOfVisitors(userId, maxCallsInParallel, tx) : null;
    if (ofVisitors) return { lines: [], shortage: ofVisitors, ...known };
    const planned = Math.min(wanted, ofPlan);
    const paid = await this.billing.affordable(userId, this.priceOf(assistant, terms), planned, tx);
    if (paid.count === 0) return { lines: [], shortage: paid.shortage, ...known };
    const { maxInParallel } = this.config;
    // Last, because what is locked here is kept from all accounts until the transaction ends.
    const lines = await this.lines.take(paid.count, maxInParallel, tx);
    if (lines.length === wanted) return { lines, shortage: null, ...known };
    if (lines.length < paid.count) {
      return { lines, shortage: new ParallelCallsLimitError('platform', maxInParallel), ...known };
    }
    return { lines, shortage: paid.shortage ?? beyondPlan, ...known };
  }

  private async shortageOfVisitors(
    userId: number,
    maxCallsInParallel: number,
    tx: Tx,
  ): Promise<DomainError | null> {
    const ofAccount = await this.visitorLines.shortageOfAccount(userId, maxCallsInParallel, tx);
    return ofAccount ?? this.visitorLines.shortageOfPlatform(tx);
  }

  private async openLines(
    userId: number,
    among: readonly string[] | null,
    tx: Tx,
  ): Promise<{ readonly count: number; readonly customers: readonly string[] | null }> {
    if (among === null) return { count: await this.lines.countOf(userId, tx), customers: null };
    return this.lines.countWithCustomers(userId, among, tx);
  }

  /** Why the longest call of the assistant could not be paid now; null when it could. A forecast: nothing is locked. */
  moneyShortageOf(
    userId: number,
    assistant: AssistantDetails,
    terms: CallTerms,
  ): Promise<Affordable['shortage']> {
    return this.billing.shortageOf(userId, this.priceOf(assistant, terms));
  }

  /** Whether the line costs money, and the account has none. A forecast: nothing is locked. */
  async hasNoMoneyForLine(userId: number, terms: Pick<CallTerms, 'lineIsFree'>): Promise<boolean> {
    if (this.pricesFor(terms).carrierPricePerMinuteMicros === 0) return false;
    return (await this.billing.shortageOf(userId, 1)) !== null;
  }

  /** Takes money for calls, and their lines, of which {@link roomFor} has found one for each. */
  async occupy(
    userId: number,
    assistant: AssistantDetails,
    { lines, callsPerSecond }: Pick<Room, 'lines' | 'callsPerSecond'>,
    calls: readonly BegunCall[],
    tx: Tx,
    terms: CallTerms = {},
  ): Promise<ActiveCall[]> {
    const { max_duration: maxDurationSeconds, ringing_time: ringingSeconds } = assistant.config;
    const priced = calls.map((call) => ({ call, terms: { ...terms, ...call } }));
    const charges = priced.flatMap(({ call, terms: its }) => {
      const amountMicros = this.priceOf(assistant, its);
      // A visitor's call is counted with its hold, also where it costs nothing.
      return amountMicros === 0 && !its.budget
        ? []
        : [{ kind: 'call', amountMicros, reference: `call:${call.callId}` } as const];
    });
    const holds = charges.length === 0 ? [] : await this.hold(userId, charges, terms, tx);
    const holdOf = new Map(charges.map(({ reference }, at) => [reference, holds[at]]));
    const activeCalls = priced.map(({ call: { lineIsFree: _, ...call }, terms: its }, at) => ({
      ...call,
      userId,
      line: lines[at] ?? null,
      holdId: holdOf.get(`call:${call.callId}`) ?? null,
      maxDurationSeconds,
      ringingSeconds,
      callsPerSecond,
      ...(its.byVisitor && { byVisitor: true }),
      ...this.pricesFor(its),
    }));
    return this.activeCalls.add(activeCalls, tx);
  }

  private async hold(
    userId: number,
    charges: readonly Charge[],
    { budget }: CallTerms,
    tx: Tx,
  ): Promise<string[]> {
    if (!budget) return this.billing.holdAll(userId, charges, tx);
    const holds: string[] = [];
    for (const charge of charges) holds.push(await this.visitors.hold(userId, charge, budget, tx));
    return holds;
  }

  /** What a minute with an assistant costs. */
  minuteCost(terms: CallTerms): CallCost {
    return costOf(SECONDS_A_MINUTE, this.pricesFor(terms));
  }

  private priceOf({ config }: AssistantDetails, terms: CallTerms): number {
    return totalOf(costOf(config.max_duration, this.pricesFor(terms)));
  }

  private pricesFor({ lineIsFree = false }: CallTerms): CallPrices {
    const { pricePerMinuteMicros, carrierPricePerMinuteMicros } = this.config;
    return {
      pricePerMinuteMicros,
      carrierPricePerMinuteMicros: lineIsFree ? 0 : carrierPricePerMinuteMicros,
    };
  }
}
