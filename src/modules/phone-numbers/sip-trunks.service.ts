import { Injectable } from '@nestjs/common';
import { SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { SecretBox } from '../../common/crypto/secret-box.js';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { LiveEventsService } from '../../common/live/live-events.service.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { CreateSipTrunkRequest, UpdateSipTrunkRequest } from './dto/sip-trunk.request.js';
import { nicknameOf } from './nickname.js';
import { SipTrunkExistsError, SipTrunkLimitError, SipTrunkNotFoundError } from './phone-numbers.errors.js';
import { PhoneNumbersRepository } from './phone-numbers.repository.js';
import type { PhoneText } from './phone-text.js';
import { sipAddressOf, storedProxyOf, trunkNumberOf, wideRangesOf } from './sip-trunk-rules.js';
import type { SipTrunk } from './sip-trunk.entity.js';
import type { SipTrunkState } from './trunk-connections/sip-trunk-state.entity.js';
import { SipTrunkStatesRepository } from './trunk-connections/sip-trunk-states.repository.js';
import { SipTrunksRepository, type TrunkWithNumber } from './sip-trunks.repository.js';

type Authorization = Pick<SipTrunk, 'inboundAuthorizationType' | 'allowedInboundIps'>;

/** The sent fields whose rules need more than the field itself, in the form in which they are stored. */
interface CheckedFields extends Authorization {
  readonly number: PhoneText | undefined;
  readonly address: string | undefined;
}

/** A trunk with how it stands; null while nobody serves it. */
export interface TrunkDetails extends TrunkWithNumber {
  readonly state: SipTrunkState | null;
}

/** Numbers behind the account's own SIP provider. The id of a trunk is the id of its number. */
@Injectable()
export class SipTrunksService {
  constructor(
    private readonly trunks: SipTrunksRepository,
    private readonly states: SipTrunkStatesRepository,
    private readonly numbers: PhoneNumbersRepository,
    private readonly accounts: AccountsService,
    private readonly secrets: SecretBox,
    private readonly security: SecurityConfig,
    private readonly telephony: TelephonyConfig,
    private readonly transactions: Transactions,
    private readonly effect: IdempotentEffectService,
    private readonly live: LiveEventsService,
  ) {}

  async list(userId: number): Promise<TrunkDetails[]> {
    const [trunks, states] = await Promise.all([this.trunks.listOf(userId), this.states.ofAccount(userId)]);
    return trunks.map((trunk) => ({ ...trunk, state: states.get(trunk.trunk.id) ?? null }));
  }

  /** @throws SipTrunkNotFoundError */
  async get(userId: number, id: number): Promise<TrunkDetails> {
    const [found, state] = await Promise.all([this.find(userId, id), this.states.find(userId, id)]);
    return { ...found, state };
  }

  private async find(userId: number, id: number, tx?: Tx): Promise<TrunkWithNumber> {
    const [number, trunk] = await Promise.all([
      this.numbers.find(userId, id, tx),
      this.trunks.find(userId, id, tx),
    ]);
    if (!number || !trunk) throw new SipTrunkNotFoundError();
    return { number, trunk };
  }

  /** @throws ValidationFailedError | SipTrunkLimitError | SipTrunkExistsError */
  async create(userId: number, request: CreateSipTrunkRequest): Promise<TrunkDetails> {
    const checked = this.check(request.sip_trunk_type, request);
    const created = await this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, checked, tx),
        referenceOf: ({ trunk }) => String(trunk.id),
        recall: (id) => this.find(userId, Number(id), tx),
      }),
    );
    return this.changed(created);
  }

  /** Changes the fields that were sent. @throws SipTrunkNotFoundError | ValidationFailedError | SipTrunkExistsError */
  async update(userId: number, id: number, request: UpdateSipTrunkRequest): Promise<TrunkDetails> {
    const updated = await this.transactions.run(async (tx) => {
      const number = await this.numbers.findLocked(userId, id, tx);
      const trunk = await this.trunks.find(userId, id, tx);
      if (!number || !trunk) throw new SipTrunkNotFoundError();
      const { number: phone, address, ...authorization } = this.check(trunk.type, request, trunk);
      Object.assign(trunk, authorization);
      if (phone) trunk.phoneNumber = phone.e164;
      if (address !== undefined) trunk.address = address;
      if (request.sip_username !== undefined) trunk.username = request.sip_username;
      if (request.sip_password !== undefined) {
        trunk.sealedPassword = this.seal(userId, id, request.sip_password);
      }
      if (request.sip_calling_format !== undefined) trunk.callingFormat = request.sip_calling_format;
      if (request.outbound_proxy !== undefined) Object.assign(trunk, storedProxyOf(request.outbound_proxy));
      if (request.media_encryption !== undefined) trunk.mediaEncryption = request.media_encryption;
      if (request.max_parallel_calls !== undefined) trunk.maxParallelCalls = request.max_parallel_calls;
      if (!(await this.trunks.save(trunk, tx))) throw new SipTrunkExistsError();

      const country = trunkNumberOf(trunk.type, trunk.phoneNumber)?.countryCode;
      // A proof is of the number that was called, and of no other.
      if (number.phoneNumber !== trunk.phoneNumber) number.verifiedAt = number.verifiedBy = null;
      number.phoneNumber = trunk.phoneNumber;
      number.countryCode = country ?? request.country_code ?? number.countryCode;
      if (request.nickname !== undefined) number.nickname = nicknameOf(request.nickname);
      number.updatedAt = new Date();
      await this.states.forget(userId, id, tx);
      return { number: await this.numbers.save(number, tx), trunk };
    });
    return this.changed(updated);
  }

  /** The process that serves trunks takes the change up; until then nothing is known of the trunk. */
  private changed(trunk: TrunkWithNumber): TrunkDetails {
    this.live.publish('sip-trunks', 'resync');
    return { ...trunk, state: null };
  }

  private async add(
    userId: number,
    request: CreateSipTrunkRequest,
    { number: phone, address, ...authorization }: CheckedFields,
    tx: Tx,
  ): Promise<TrunkWithNumber> {
    if (!phone || address === undefined) throw new Error('a required field of a new trunk was not validated');
    const { maxSipTrunks } = await this.accounts.lockLimits(userId, tx);
    if ((await this.trunks.count(userId, tx)) >= maxSipTrunks) throw new SipTrunkLimitError(maxSipTrunks);
    const number = await this.numbers.add(
      {
        userId,
        phoneNumber: phone.e164,
        countryCode: phone.countryCode ?? request.country_code,
        nickname: nicknameOf(request.nickname),
        type: 'sip',
      },
      tx,
    );
    const trunk: SipTrunk = {
      id: number.id,
      userId,
      phoneNumber: phone.e164,
      type: request.sip_trunk_type,
      username: request.sip_username,
      sealedPassword: this.seal(userId, number.id, request.sip_password),
      address,
      callingFormat: request.sip_calling_format,
      ...authorization,
      ...storedProxyOf(request.outbound_proxy ?? false),
      mediaEncryption: request.media_encryption ?? 'allowed',
      maxParallelCalls: request.max_parallel_calls ?? null,
    };
    if (!(await this.trunks.save(trunk, tx))) throw new SipTrunkExistsError();
    return { number, trunk };
  }

  private check(
    type: SipTrunk['type'],
    request: UpdateSipTrunkRequest,
    stored: Authorization = { inboundAuthorizationType: 'auth', allowedInboundIps: null },
  ): CheckedFields {
    const issues: FieldIssue[] = [];
    const refuse = (field: string, key: TextKey, values = {}) =>
      void issues.push({ field, text: text(key, { field, ...values }) });

    const number = request.phone_number === undefined ? undefined : trunkNumberOf(type, request.phone_number);
    if (number === null) {
      refuse('phone_number', type === 'number' ? 'sip_trunks.number_format' : 'sip_trunks.extension_format');
    }
    const { egressAllowCidrs } = this.security;
    const address =
      request.sip_address === undefined ? undefined : sipAddressOf(request.sip_address, egressAllowCidrs);
    if (address === null) refuse('sip_address', 'sip_trunks.address');
    const proxy = request.outbound_proxy;
    if (typeof proxy === 'string' && sipAddressOf(proxy, egressAllowCidrs) === null) {
      refuse('outbound_proxy', 'sip_trunks.outbound_proxy');
    }

    const authorization = authorizationOf(request, stored);
    if (authorization.allowedInboundIps?.length === 0) {
      refuse('allowed_inbound_ips', 'sip_trunks.inbound_ips_required');
    }
    const wide = this.refusedRanges(authorization, stored);
    if (wide.length > 0) {
      refuse('allowed_inbound_ips', 'sip_trunks.inbound_ips_wide', { ranges: wide.join(', ') });
    }
    ValidationFailedError.throwIfAny(issues);
    return { number: number ?? undefined, address: address ?? undefined, ...authorization };
  }

  /** Ranges that were stored before there was a limit stay. */
  private refusedRanges({ allowedInboundIps }: Authorization, stored: Authorization): string[] {
    if (this.telephony.allowsWideRanges) return [];
    return wideRangesOf(allowedInboundIps).filter((range) => !stored.allowedInboundIps?.includes(range));
  }

  private seal(userId: number, rowId: number, password: string): string {
    return this.secrets.seal(password, { userId, column: 'sip_trunks.password', rowId });
  }
}

/** Addresses are kept for the authorization by `ip` alone; there an empty list is for the caller to refuse. */
function authorizationOf(request: UpdateSipTrunkRequest, stored: Authorization): Authorization {
  const type = request.inbound_authorization_type ?? stored.inboundAuthorizationType;
  if (type === 'auth') return { inboundAuthorizationType: type, allowedInboundIps: null };
  const sent = request.allowed_inbound_ips;
  return {
    inboundAuthorizationType: type,
    allowedInboundIps: (sent === undefined ? stored.allowedInboundIps : sent) ?? [],
  };
}
