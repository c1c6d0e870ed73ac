import { createHash, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InternalToken } from '../../../common/crypto/internal-token.js';
import { SecretBox } from '../../../common/crypto/secret-box.js';
import { Logger } from '../../../common/observability/logger.js';
import { storableText } from '../../../common/text/storable-text.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import type { SipCallCarrier } from '../../../providers/telephony/sip/carrier/sip-call-carrier.js';
import type { TrunkNumber } from '../../../providers/telephony/sip/carrier/trunk-number.js';
import { sipServerOf } from '../sip-trunk-rules.js';
import { SipTrunksRepository, type TrunkWithNumber } from '../sip-trunks.repository.js';
import { REGISTRATION_STATES, type SipTrunkState } from './sip-trunk-state.entity.js';
import { SipTrunkStatesRepository } from './sip-trunk-states.repository.js';

/** More are not served; each is asked for every half minute. */
const MOST_TRUNKS = 5_000;
const MAX_REASON = 200;
const CONTACT_USER_DIGITS = 32;

const SRTP_POLICIES = { disabled: 'off', allowed: 'optional', required: 'required' } as const;

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

  constructor(
    private readonly trunks: SipTrunksRepository,
    private readonly states: SipTrunkStatesRepository,
    private readonly carriers: CallCarriers,
    private readonly secrets: SecretBox,
    private readonly token: InternalToken,
    private readonly logger: Logger,
  ) {}

  /** All trunks there are now, to be served. */
  async load(): Promise<readonly TrunkNumber[]> {
    const rows = await this.trunks.listAll(MOST_TRUNKS);
    if (rows.length === MOST_TRUNKS) this.logger.warn('there are more SIP trunks than are served', {});
    const readable = rows.flatMap((row) => {
      const number = this.numberOf(row);
      return number ? [{ row, number }] : [];
    });
    this.served = new Map(readable.map(({ row }) => [row.trunk.id, servedOf(row)]));
    // A trunk that was changed has lost its state.
    this.written = new Map();
    return readable.map(({ number }) => number);
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

  /** The same in all processes, so that each of them knows calls to what one has registered; another one with another login. */
  private contactUserOf({ id, address, username }: TrunkWithNumber['trunk'], password: string): string {
    return createHmac('sha256', this.token.own)
      .update(JSON.stringify(['sip-contact', id, address, username, password]))
      .digest('hex')
      .slice(0, CONTACT_USER_DIGITS);
  }

  /** Null for a trunk whose password cannot be read any more. */
  private numberOf({ number, trunk }: TrunkWithNumber): TrunkNumber | null {
    const { id, userId, sealedPassword } = trunk;
    const { host, port, transport } = sipServerOf(trunk.address);
    try {
      const place = { userId, column: 'sip_trunks.password', rowId: id } as const;
      const password = this.secrets.open(sealedPassword, place);
      return {
        phoneNumberId: id,
        accountId: userId,
        number: number.phoneNumber,
        countryCode: number.countryCode,
        callingFormat: trunk.callingFormat,
        target: { host, port, protocol: transport },
        username: trunk.username,
        password,
        inboundAddresses: trunk.allowedInboundIps,
        srtp: SRTP_POLICIES[trunk.mediaEncryption],
        contactUser: this.contactUserOf(trunk, password),
        provenAtMs: this.carriers.isVerified(number) ? number.verifiedAt.getTime() : null,
      };
    } catch (error) {
      this.logger.error('password of a SIP trunk not read', { trunkId: id, err: error });
      return null;
    }
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
