import { ApiProperty } from '@nestjs/swagger';
import {
  NullableEnum,
  NullableInteger,
  NullableText,
  TimestampedResponse,
} from '../../../common/http/response-fields.js';
import { INBOUND_AUTHORIZATION_TYPES, MEDIA_ENCRYPTIONS, SIP_CALLING_FORMATS } from '../sip-trunk.entity.js';
import type { TrunkDetails } from '../sip-trunks.service.js';
import { outboundProxyOf } from '../sip-trunk-rules.js';
import { REGISTRATION_STATES } from '../trunk-connections/sip-trunk-state.entity.js';

/** An item of the list. The password is never returned. */
export class SipTrunkResponse extends TimestampedResponse {
  @ApiProperty({ example: '+14155550100', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @NullableText({ description: 'Name for people, at most 50 characters; null for none', example: 'Vendas' })
  declare nickname: string | null;

  @ApiProperty({ description: 'User name at the SIP server', example: 'prosa' })
  declare sip_username: string;

  @ApiProperty({ example: 'sip.example.com', description: 'Host of the SIP server' })
  declare sip_address: string;

  @ApiProperty({ enum: SIP_CALLING_FORMATS, description: 'How numbers are written to the SIP server' })
  declare sip_calling_format: string;

  @ApiProperty({
    enum: INBOUND_AUTHORIZATION_TYPES,
    description: 'How the trunk proves that a call comes from it',
  })
  declare inbound_authorization_type: string;

  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'Addresses and CIDR ranges that calls may come from, with the authorization `ip`',
  })
  declare allowed_inbound_ips: string[] | null;

  @ApiProperty({
    oneOf: [{ type: 'boolean' }, { type: 'string' }],
    description:
      'As it was sent: true for sip_address itself, or the address of another server; false for none',
    example: false,
  })
  declare outbound_proxy: boolean | string;

  @ApiProperty({ enum: MEDIA_ENCRYPTIONS, description: 'Whether the sound of calls is encrypted (SRTP)' })
  declare media_encryption: string;

  @NullableInteger({ minimum: 1, description: 'Calls in and out at the same time; null: no limit' })
  declare max_parallel_calls: number | null;

  @ApiProperty({ example: 'US', description: 'ISO 3166 code of two letters' })
  declare country_code: string;

  @NullableEnum(REGISTRATION_STATES, {
    description:
      'At the operator; null for a trunk that does not register (type ip), or that no process serves',
  })
  declare registration_status: string | null;

  @NullableText({ description: 'Why it is not registered', example: '403 Forbidden' })
  declare registration_error: string | null;

  @ApiProperty({ type: Boolean, nullable: true, description: "Whether the operator's server answers" })
  declare is_reachable: boolean | null;
}

const TRUNK_ID = {
  type: String,
  nullable: true,
  description: 'Id of the trunk on the SIP server; null where there is none',
};

/** One trunk. */
export class SipTrunkDetailsResponse extends SipTrunkResponse {
  @ApiProperty(TRUNK_ID)
  declare inbound_trunk_id: string | null;

  @ApiProperty(TRUNK_ID)
  declare outbound_trunk_id: string | null;
}

export function toSipTrunkResponse(details: TrunkDetails): SipTrunkResponse {
  return fieldsOf(details);
}

export function toSipTrunkDetailsResponse(details: TrunkDetails): SipTrunkDetailsResponse {
  const { state } = details;
  return {
    ...fieldsOf(details),
    inbound_trunk_id: state?.inboundId ?? null,
    outbound_trunk_id: state?.outboundId ?? null,
  };
}

function fieldsOf({ number, trunk, state }: TrunkDetails) {
  return {
    id: number.id,
    phone_number: number.phoneNumber,
    nickname: number.nickname,
    sip_username: trunk.username,
    sip_address: trunk.address,
    sip_calling_format: trunk.callingFormat,
    inbound_authorization_type: trunk.inboundAuthorizationType,
    allowed_inbound_ips: trunk.allowedInboundIps,
    outbound_proxy: outboundProxyOf(trunk),
    media_encryption: trunk.mediaEncryption,
    max_parallel_calls: trunk.maxParallelCalls,
    country_code: number.countryCode,
    registration_status: state?.registration ?? null,
    registration_error: state?.reason ?? null,
    is_reachable: state?.reachable ?? null,
    created_at: number.createdAt.toISOString(),
    updated_at: number.updatedAt.toISOString(),
  };
}
