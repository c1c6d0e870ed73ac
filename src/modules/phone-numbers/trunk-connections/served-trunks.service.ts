import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { storableText } from '../../../common/text/storable-text.js';
import type { SipCallCarrier } from '../../../providers/telephony/sip/carrier/sip-call-carrier.js';
import type { TrunkNumber } from '../../../providers/telephony/sip/carrier/trunk-number.js';
import { wideRangesOf } from '../sip-trunk-rules.js';
import { SipTrunksRepository, type TrunkWithNumber } from '../sip-trunks.repository.js';
import { REGISTRATION_STATES, type SipTrunkState } from './sip-trunk-state.entity.js';
import { SipTrunkStatesRepository } from './sip-trunk-states.repository.js';
import { TrunkNumbersService } from './trunk-numbers.service.js';

/** More are not served, and accounts share them; each is asked for every half minute. */
const MOST_TRUNKS = 5_000;
const MAX_REASON = 200;

interface ServedTrunk {
  readonly userId: number;
  readonly inboundId: string;
  readonly outboundId: string;
}

/** The trunks of all accounts, as this process serves them, and how they stand. */
@Injectable()
export class ServedTrunksService {
  private served: ReadonlyMap<number, ServedTrunk> = new Map();
  /** As they were last written. */
  private written = new Map<number, string>();
  /** The wide ranges of trunks that the log has named. */
  private named: ReadonlyMap<number, string> = new Map();

  constructor(
    private readonly trunks: SipTrunksRepository,
    private readonly states: SipTrunkStatesRepository,
    private readonly numbers: TrunkNumbersService,
    private readonly logger: Logger,
  ) {}

  /** The trunks there are now, to be served. */
  async load(): Promise<readonly TrunkNumber[]> {
    const rows = await this.trunks.listShared(MOST_TRUNKS);
    if (rows.length === MOST_TRUNKS) this.logger.warn('there are more SIP trunks than are served', {});
    this.nameWideRanges(rows);
    const readable = rows.flatMap((row) => {
      const number = this.numbers.read(row);
      return number ? [{ row, number }] : [];
    });
    this.served = new Map(readable.map(({ row }) => [row.trunk.id, servedOf(row)]));
    // A trunk that was changed has lost its state.
    this.written = new Map();
    return readable.map(({ number }) => number);
  }

  /** Once for each trunk, as trunks are loaded again and again. */
  private nameWideRanges(rows: readonly TrunkWithNumber[]): void {
    const wide = rows.flatMap(({ trunk }) => {
      const ranges = wideRangesOf(trunk.allowedInboundIps);
      return ranges.length > 0 ? [{ trunk, ranges }] : [];
    });
    for (const { trunk, ranges } of wide) {
      if (this.named.get(trunk.id) === ranges.join()) continue;
      const fields = { trunkId: trunk.id, accountId: trunk.userId, ranges };
      this.logger.warn('a SIP trunk trusts a wide range of addresses', fields);
    }
    this.named = new Map(wide.map(({ trunk, ranges }) => [trunk.id, ranges.join()]));
  }

  /** Writes how the trunks stand, where that has changed. */
  async noteStates(carrier: SipCallCarrier): Promise<void> {
    const changed: SipTrunkState[] = [];
    for (const [trunkId, served] of this.served) {
      const status = carrier.trunkStatus(trunkId);
      if (!status) continue;
      const { state = null, reason = null } = status.registration ?? {};
      const row: SipTrunkState = {
        trunkId,
        ...served,
        registration: state,
        reason: reason && storableText(reason).slice(0, MAX_REASON),
        reachable: status.reachable,
      };
      if (this.written.get(trunkId) !== JSON.stringify(row)) changed.push(row);
    }
    if (changed.length === 0) return;
    await this.states.save(changed);
    for (const row of changed) this.written.set(row.trunkId, JSON.stringify(row));
  }

  /** How many trunks are registered, and how many are not; `none` do not register. */
  countByRegistration(carrier: SipCallCarrier): ReadonlyMap<string, number> {
    const counts = new Map<string, number>(['none', ...REGISTRATION_STATES].map((state) => [state, 0]));
    for (const trunkId of this.served.keys()) {
      const status = carrier.trunkStatus(trunkId);
      if (!status) continue;
      const state = status.registration?.state ?? 'none';
      counts.set(state, (counts.get(state) ?? 0) + 1);
    }
    return counts;
  }

  countUnreachable(carrier: SipCallCarrier): number {
    return [...this.served.keys()].filter((trunkId) => carrier.trunkStatus(trunkId)?.reachable === false)
      .length;
  }

  /** What another process knew of the trunks is true no more. */
  forgetStates(): Promise<void> {
    return this.states.forgetAll();
  }
}

function servedOf({ trunk }: TrunkWithNumber): ServedTrunk {
  return {
    userId: trunk.userId,
    inboundId: trunkIdOf(trunk, 'inbound'),
    outboundId: trunkIdOf(trunk, 'outbound'),
  };
}

/** Of the sealed password, which says nothing of the password and is another one each time it is set. */
function trunkIdOf(trunk: TrunkWithNumber['trunk'], direction: string): string {
  const { id, username, sealedPassword, address, allowedInboundIps } = trunk;
  const settings = JSON.stringify([direction, id, username, sealedPassword, address, allowedInboundIps]);
  const hash = createHash('sha256').update(settings).digest('base64').replace(/[+/=]/g, '');
  return `ST_${hash.slice(0, 12)}`;
}
