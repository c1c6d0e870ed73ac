import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { SecurityConfig, TelephonyConfig } from '../../config/config.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { CreateSipTrunkRequest, UpdateSipTrunkRequest } from './dto/sip-trunk.request.js';
import type { PhoneNumber } from './phone-number.entity.js';
import type { PhoneText } from './phone-text.js';
import { sipAddressOf, storedProxyOf, trunkNumberOf, wideRangesOf } from './sip-trunk-rules.js';
import type { SipTrunk } from './sip-trunk.entity.js';

type Authorization = Pick<SipTrunk, 'inboundAuthorizationType' | 'allowedInboundIps'>;

/** The sent fields whose rules need more than the field itself, in the form in which they are stored. */
export interface CheckedFields extends Authorization {
  readonly number: PhoneText | undefined;
  readonly address: string | undefined;
}

/** Checks the fields of a request for a trunk, and turns them into the form in which they are stored. */
@Injectable()
export class SipTrunkFieldsService {
  constructor(
    private readonly secrets: SecretBox,
    private readonly security: SecurityConfig,
    private readonly telephony: TelephonyConfig,
  ) {}

  /** @throws ValidationFailedError with all fields that break a rule */
  check(
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

  /** A new trunk of a number. */
  newTrunk(
    { id, userId, phoneNumber }: PhoneNumber,
    request: CreateSipTrunkRequest,
    { number: _, address, ...authorization }: CheckedFields & { readonly address: string },
  ): SipTrunk {
    return {
      id,
      userId,
      phoneNumber,
      type: request.sip_trunk_type,
      username: request.sip_username,
      sealedPassword: this.seal(userId, id, request.sip_password),
      address,
      callingFormat: request.sip_calling_format,
      ...authorization,
      ...storedProxyOf(request.outbound_proxy ?? false),
      mediaEncryption: request.media_encryption ?? 'allowed',
      maxParallelCalls: request.max_parallel_calls ?? null,
    };
  }

  /** Changes the fields of `trunk` that were sent. */
  apply(
    trunk: SipTrunk,
    request: UpdateSipTrunkRequest,
    { number, address, ...authorization }: CheckedFields,
  ): void {
    Object.assign(trunk, authorization);
    if (number) trunk.phoneNumber = number.e164;
    if (address !== undefined) trunk.address = address;
    if (request.sip_username !== undefined) trunk.username = request.sip_username;
    if (request.sip_password !== undefined) {
      trunk.sealedPassword = this.seal(trunk.userId, trunk.id, request.sip_password);
    }
    if (request.sip_calling_format !== undefined) trunk.callingFormat = request.sip_calling_format;
    if (request.outbound_proxy !== undefined) Object.assign(trunk, storedProxyOf(request.outbound_proxy));
    if (request.media_encryption !== undefined) trunk.mediaEncryption = request.media_encryption;
    if (request.max_parallel_calls !== undefined) trunk.maxParallelCalls = request.max_parallel_calls;
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

/** Addresses are stored for the authorization by `ip` alone. There the caller refuses an empty list. */
function authorizationOf(request: UpdateSipTrunkRequest, stored: Authorization): Authorization {
  const type = request.inbound_authorization_type ?? stored.inboundAuthorizationType;
  if (type === 'auth') return { inboundAuthorizationType: type, allowedInboundIps: null };
  const sent = request.allowed_inbound_ips;
  return {
    inboundAuthorizationType: type,
    allowedInboundIps: (sent === undefined ? stored.allowedInboundIps : sent) ?? [],
  };
}
