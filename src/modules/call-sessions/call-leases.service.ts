import { Injectable } from '@nestjs/common';
import { Logger } from '../../common/observability/logger.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import type { StoredCall } from '../calls/call-facts.js';
import { CallTurnsService } from '../calls/turns/call-turns.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import { CallOwnershipService } from '../active-calls/leases/call-ownership.service.js';
import type { CallLease } from '../active-calls/leases/call-lease.js';
import { LineStatesService } from '../active-calls/line-states/line-states.service.js';

/** The longest delay from a turn on a line of this process to its record. */
const RECORD_MS = 500;

/** Renews the leases of the calls that this process monitors, and writes with them what was said on the calls. */
@Injectable()
export class CallLeasesService {
  constructor(
    private readonly ownership: CallOwnershipService,
    private readonly turns: CallTurnsService,
    private readonly carriers: CallCarriers,
    private readonly processes: VoiceProcessesService,
    private readonly lineStates: LineStatesService,
    private readonly logger: Logger,
  ) {}

  /** Never fails. */
  async renew(lease: CallLease): Promise<void> {
    if (lease.signal.aborted) return;
    try {
      await this.confirm(lease);
    } catch (error) {
      this.logger.warn('call lease not renewed', { callId: lease.callId, err: error });
    }
  }

  /**
   * Renews a lease, also one that has lapsed and that no other process has taken. Releases the lease of a call that another
   * process has.
   *
   * @returns whether this process has the call
   * @throws DatabaseUnavailableError where the database does not answer
   */
  async confirm(lease: CallLease): Promise<boolean> {
    const askedAtMs = performance.now();
    const renewed = await this.ownership.renew(lease);
    if (!renewed) {
      await this.releaseLine(lease);
      lease.release();
      return false;
    }
    lease.renewed(askedAtMs);
    await this.writeTurns(lease);
    if (renewed.isToEnd) await this.endOwnLine(lease, renewed.carrierCallId);
    return true;
  }

  /** Reads what other processes have recorded of an answered call. */
  async loadTurns({ turns }: CallLease, { userId, id, status }: StoredCall): Promise<void> {
    if (status === 'in-progress') turns.load(await this.turns.list(userId, id));
  }

  writeTurns({ callId, token, turns }: CallLease): Promise<void> {
    return turns.write((unwritten) => this.turns.write(callId, token, unwritten));
  }

  /** Writes turns soon after they are noted. If the line dies with this process, only what is on record is known and charged. */
  recordSoon(lease: CallLease): void {
    let timer: NodeJS.Timeout | null = null;
    lease.turns.onNoted = () => {
      timer ??= setTimeout(() => {
        timer = null;
        this.writeTurns(lease).catch((err: unknown) =>
          this.logger.warn('turns not on record yet', { callId: lease.callId, err }),
        );
      }, RECORD_MS);
    };
  }

  /** A line that lives in this process can be hung up by no other. */
  async endOwnLine({ line }: CallLease, carrierCallId: string | null): Promise<void> {
    if (line.capabilities.livesInProcess && carrierCallId !== null) await line.hangUp(carrierCallId);
  }

  /** Releases the line, without hanging up, if another process has taken it over. */
  private async releaseLine({ callId, carrier, carrierCallId, secondLegs }: CallLease): Promise<void> {
    const { takeover } = this.carriers.named(carrier);
    const { own } = this.processes;
    if (!takeover || !own || carrierCallId === null) return;
    if (!(await this.lineStates.isElsewhere(callId, own.id))) return;
    for (const id of [carrierCallId, ...secondLegs]) takeover.release(id);
    this.logger.warn('call left to another process', { callId, carrier });
  }
}
