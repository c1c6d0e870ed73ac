import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InternalToken } from '../../../common/crypto/internal-token.js';
import { SecretBox } from '../../../common/crypto/secret-box.js';
import { Logger } from '../../../common/observability/logger.js';
import { CallCarriers } from '../../../providers/telephony/call-carriers.js';
import type { TrunkNumber } from '../../../providers/telephony/sip/carrier/trunk-number.js';
import type { SipTargetName } from '@prosa/sip';
import { outboundProxyOf, sipServerOf } from '../sip-trunk-rules.js';
import type { TrunkWithNumber } from '../sip-trunks.repository.js';

const CONTACT_USER_DIGITS = 32;

const SRTP_POLICIES = { disabled: 'off', allowed: 'optional', required: 'required' } as const;

/** Makes of stored trunks what carriers take to use them, passwords included. */
@Injectable()
export class TrunkNumbersService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly secrets: SecretBox,
    private readonly token: InternalToken,
    private readonly logger: Logger,
  ) {}

  /** Null for a trunk whose password cannot be read any more. */
  read({ number, trunk }: TrunkWithNumber): TrunkNumber | null {
    const { id, userId, sealedPassword } = trunk;
    try {
      const place = { userId, column: 'sip_trunks.password', rowId: id } as const;
      const password = this.secrets.open(sealedPassword, place);
      return {
        phoneNumberId: id,
        accountId: userId,
        number: number.phoneNumber,
        countryCode: number.countryCode,
        callingFormat: trunk.callingFormat,
        target: targetOf(trunk.address),
        outboundProxy: proxyOf(trunk),
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

  /** The same in all processes, so that each of them knows calls to what one has registered; another one with another login. */
  private contactUserOf({ id, address, username }: TrunkWithNumber['trunk'], password: string): string {
    return createHmac('sha256', this.token.own)
      .update(JSON.stringify(['sip-contact', id, address, username, password]))
      .digest('hex')
      .slice(0, CONTACT_USER_DIGITS);
  }
}

function proxyOf(trunk: TrunkWithNumber['trunk']): SipTargetName | null {
  const proxy = outboundProxyOf(trunk);
  if (proxy === false) return null;
  return targetOf(proxy === true ? trunk.address : proxy);
}

function targetOf(address: string): SipTargetName {
  const { host, port, transport } = sipServerOf(address.toLowerCase());
  return { host, port, protocol: transport };
}
