import { Injectable } from '@nestjs/common';
import { KeyedBatcher } from '../../common/concurrency/keyed-batcher.js';
import { CallsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { CallsService } from '../calls/calls.service.js';
import type { StoredCall } from '../calls/call-facts.js';
import { ActiveCallsRepository } from './active-calls.repository.js';
import { DialledCallsRepository } from './dialled-calls.repository.js';
import { LEASE_MS } from './leases/call-lease.js';
import { OrphanedCallsRepository } from './orphaned-calls.repository.js';
import type { BegunPlacing, CallerContext, Orphan, PlacedCall, RunningCall } from './running-call.js';

const MAX_AT_ONCE = 64;

/** The rows of calls for which something is left to do, from the wait for the dial to the evaluation. */
@Injectable()
export class ActiveCallsService {
  /** By account: calls of one account do not wait for the rows of another. */
  private readonly placings = new KeyedBatcher<number, number, BegunPlacing | null>(
    async (_userId, callIds) => {
      const begun = await this.activeCalls.beginPlacingAll(callIds);
      const byCall = new Map(begun.map((one) => [one.callId, one]));
      return callIds.map((callId) => byCall.get(callId) ?? null);
    },
    MAX_AT_ONCE,
  );
  private readonly openings = new KeyedBatcher<number, PlacedCall, boolean>(async (_userId, calls) => {
    const opened = await this.activeCalls.markAllOpen(calls, LEASE_MS);
    return calls.map(({ callId }) => opened.has(callId));
  }, MAX_AT_ONCE);

  constructor(
    private readonly activeCalls: ActiveCallsRepository,
    private readonly dialledCalls: DialledCallsRepository,
    private readonly orphanedCalls: OrphanedCallsRepository,
    private readonly calls: CallsService,
    private readonly config: CallsConfig,
  ) {}

  /** Null when nothing is left to do for the call. */
  async find(callId: number): Promise<RunningCall | null> {
    const [active, call] = await Promise.all([this.activeCalls.find(callId), this.calls.findById(callId)]);
    return active && call && { active, call };
  }

  /** The record of a call that may have ended. */
  findRecord(callId: number): Promise<StoredCall | null> {
    return this.calls.findById(callId);
  }

  /**
   * How long the call has been in its stage, and since when it exists, in milliseconds. Measured by the clock of the database,
   * which wrote both times. Null when the call has ended.
   */
  agesOf(callId: number): Promise<{ readonly stageMs: number; readonly callMs: number } | null> {
    return this.activeCalls.agesOf(callId);
  }

  /** Notes what a lookup has said of the caller of a call that has not begun. */
  setCallerContext(callId: number, context: CallerContext, tx: Tx): Promise<void> {
    return this.activeCalls.setCallerContext(callId, context, tx);
  }

  /** Marks that the carrier is about to be asked. Null when another process has begun to place the call. */
  beginPlacing({ id, userId }: Pick<StoredCall, 'id' | 'userId'>): Promise<BegunPlacing | null> {
    return this.placings.run(userId, id);
  }

  /** Undoes {@link beginPlacing}: the carrier has provably not got the call. */
  returnToWaiting(callId: number): Promise<void> {
    return this.activeCalls.returnToWaiting(callId);
  }

  /** Notes that the carrier has the call, and who monitors it. False when the call is not being placed any more. */
  open(userId: number, placed: PlacedCall): Promise<boolean> {
    return this.openings.run(userId, placed);
  }

  /** Takes back a call that was not sent. Null when it has ended, or the carrier has it. */
  withdraw(callId: number, tx: Tx): Promise<{ holdId: string | null } | null> {
    return this.activeCalls.withdraw(callId, tx);
  }

  /**
   * Keeps what a carrier itself has said: that it has the call of a key. The process that asked for the call may have died
   * before the answer.
   *
   * @param key UUID
   */
  noteDialled(key: string, carrier: string, carrierCallId: string): Promise<void> {
    return this.dialledCalls.note(key, carrier, carrierCallId);
  }

  /** Gives a waiting call to the voice process with the most room; null when no process has room, or the call was placed. */
  giveToVoiceProcess(
    callId: number,
    tx: Tx,
  ): Promise<{ readonly id: string; readonly address: string } | null> {
    return this.activeCalls.giveToVoiceProcess(callId, this.config.visitorShare, tx);
  }

  /**
   * Calls that no process has, oldest first, of all accounts.
   *
   * @param speeds how fast the time of each carrier runs, by its name; of others it is real
   * @param graceMs how long after its longest duration a call may still be open
   */
  findOrphans(speeds: ReadonlyMap<string, number>, graceMs: number, limit: number): Promise<Orphan[]> {
    return this.orphanedCalls.find(speeds, graceMs, limit);
  }
}
