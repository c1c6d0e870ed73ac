import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../../common/crypto/secret-box.js';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import { type CallLease, LEASE_MS } from '../leases/call-lease.js';
import type { ForeignLine } from './foreign-line.js';
import { LineStatesRepository } from './line-states.repository.js';

/** A call this process monitors. */
interface KeptCall {
  readonly call: { readonly userId: number; readonly id: number };
  readonly active: { readonly carrier: string };
  readonly lease: CallLease;
  readonly carrierCallId: string;
}

/** Sealed; the column refuses more. Without what is kept the call ends with its process. */
const MAX_LENGTH = 32_768;
const WRITE_AGAIN_MS = 2_000;

/** Keeps what is needed to go on with a line in another process, where the carrier can do that. */
@Injectable()
export class LineStatesService {
  /** Of the calls that are followed: whether the record matches the state of the line. */
  private readonly followed = new Map<CallLease, () => boolean>();

  constructor(
    private readonly states: LineStatesRepository,
    private readonly carriers: CallCarriers,
    private readonly secrets: SecretBox,
    private readonly logger: Logger,
  ) {}

  /** Writes the state of the line, now and after each change. Returns a function that ends it. */
  follow({ call, active, lease, carrierCallId }: KeptCall): () => void {
    const takeover = this.carriers.named(active.carrier).takeover;
    if (!takeover) return () => undefined;
    const { secondLegs } = lease;
    const { write, isWritten } = this.writer(call, lease, () => takeover.save(carrierCallId, secondLegs));
    this.followed.set(lease, isWritten);
    const stops = [takeover.onChange(carrierCallId, write)];
    lease.line.onSecondLeg = (id) => {
      secondLegs.push(id);
      stops.push(takeover.onChange(id, write));
      // One that was taken over has been answered before.
      write();
    };
    write();
    return () => {
      this.followed.delete(lease);
      for (const stop of stops) stop();
    };
  }

  /** Whether another process can continue the line in its present state. */
  isKept(lease: CallLease): boolean {
    return this.followed.get(lease)?.() ?? false;
  }

  /** What was kept of the line of a call; null where nothing was, or it cannot be read. */
  async find(userId: number, callId: number): Promise<string | null> {
    const sealed = await this.states.find(callId);
    if (sealed === null) return null;
    try {
      return this.secrets.open(sealed, placeOf(userId, callId));
    } catch (err) {
      this.logger.error('state of a line not read', { callId, err });
      return null;
    }
  }

  /** Open calls of a carrier that another process has, or had. */
  listForeign(carrier: string, ownProcessId: string, limit: number): Promise<ForeignLine[]> {
    return this.states.listForeign(carrier, ownProcessId, limit);
  }

  /** Takes a call from a process that is gone; false when another process was faster, or the call is over. */
  takeFrom(line: ForeignLine, token: string, ownProcessId: string): Promise<boolean> {
    return this.states.takeFrom(line, token, ownProcessId, LEASE_MS);
  }

  /** Whether another process has the call now, or had it at its end. */
  isElsewhere(callId: number, ownProcessId: string): Promise<boolean> {
    return this.states.isElsewhere(callId, ownProcessId);
  }

  /** One statement at a time; later changes go into the next one. */
  private writer(call: KeptCall['call'], lease: CallLease, save: () => string | null) {
    let written: string | null = null;
    let isWriting = false;
    let isDue = false;
    const write = async () => {
      isWriting = true;
      while (isDue && lease.isHeld) {
        isDue = false;
        const state = save();
        if (state === written) continue;
        if (await this.write(call, lease.token, state)) written = state;
        else setTimeout(begin, WRITE_AGAIN_MS).unref();
      }
      isWriting = false;
    };
    const begin = () => {
      isDue = true;
      if (!isWriting) void write();
    };
    return { write: begin, isWritten: () => written !== null && !isWriting && !isDue };
  }

  /** Never fails. Returns whether that was all that can be done. */
  private async write(
    { userId, id: callId }: KeptCall['call'],
    token: string,
    state: string | null,
  ): Promise<boolean> {
    const sealed = state && this.secrets.seal(state, placeOf(userId, callId));
    if (sealed !== null && sealed.length > MAX_LENGTH) {
      this.logger.warn('state of a line is too long to be kept', { callId });
      return true;
    }
    try {
      await this.states.save(callId, token, sealed);
      return true;
    } catch (err) {
      this.logger.warn('state of a line not kept yet', { callId, err });
      return false;
    }
  }
}

function placeOf(userId: number, callId: number): SecretPlace {
  return { userId, column: 'active_calls.line_state', rowId: callId };
}
