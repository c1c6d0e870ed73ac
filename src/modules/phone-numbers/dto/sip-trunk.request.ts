import { applyDecorators } from '@nestjs/common';
import { ApiProperty, OmitType, PartialType } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayUnique, IsArray, ValidateBy, ValidateIf } from 'class-validator';
import { CountryField } from '../../../common/http/fields/phone-fields.js';
import { EnumField, IntegerField, StringField } from '../../../common/http/fields.js';
import { issueText } from '../../../common/http/fields/field.js';
import { isAddressOrRange } from '../sip-trunk-rules.js';
import {
  INBOUND_AUTHORIZATION_TYPES,
  MEDIA_ENCRYPTIONS,
  SIP_CALLING_FORMATS,
  SIP_TRUNK_TYPES,
  type SipTrunk,
} from '../sip-trunk.entity.js';

/** Visible characters without those that end a value in a SIP header. */
const USERNAME = /^[\x21\x23-\x3b\x3d\x3f-\x7e]*$/;
const PASSWORD = /^[^\x00-\x1f\x7f]*$/;
const MAX_INBOUND_IPS = 100;
const MAX_ADDRESS = 253;

function InboundIpsField(): PropertyDecorator {
  const areAddresses = (value: unknown) => Array.isArray(value) && value.every(isAddressOrRange);
  return applyDecorators(
    ApiProperty({
      type: [String],
      required: false,
      nullable: true,
      maxItems: MAX_INBOUND_IPS,
      description: 'IP addresses or CIDR ranges calls may come from; required with the authorization type ip',
      example: ['198.51.100.20', '203.0.113.0/28'],
    }),
    ValidateIf((_object, value) => value !== undefined && value !== null),
    IsArray(issueText('validation.array')),
    ArrayMaxSize(MAX_INBOUND_IPS, issueText('validation.max_items', { max: MAX_INBOUND_IPS })),
    ValidateBy(
      { name: 'areAddresses', validator: { validate: areAddresses } },
      issueText('sip_trunks.inbound_ips'),
    ),
    ArrayUnique(issueText('validation.distinct')),
  );
}

function OutboundProxyField(): PropertyDecorator {
  const isProxy = (value: unknown) =>
    typeof value === 'boolean' || (typeof value === 'string' && value.length <= MAX_ADDRESS);
  return applyDecorators(
    ApiProperty({
      oneOf: [{ type: 'boolean' }, { type: 'string', maxLength: MAX_ADDRESS }],
      required: false,
      nullable: true,
      default: false,
      description:
        'Calls, registrations and OPTIONS go first to this server, with a Route header: true for sip_address itself, ' +
        'or another host, host:port, with ;transport=udp, tcp or tls. Null is the same as false',
      example: 'proxy.example.com:5060;transport=tcp',
    }),
    ValidateIf((_object, value) => value !== undefined && value !== null),
    ValidateBy({ name: 'isProxy', validator: { validate: isProxy } }, issueText('sip_trunks.outbound_proxy')),
  );
}

export class CreateSipTrunkRequest {
  @EnumField(SIP_TRUNK_TYPES, { description: 'Decides the form of phone_number' })
  declare sip_trunk_type: SipTrunk['type'];

  @StringField({ max: 64, description: 'Extension of 1 to 15 characters, or E.164', example: '+14155550100' })
  declare phone_number: string;

  @StringField({
    optional: true,
    nullable: true,
    max: 50,
    example: 'Main line',
    description: 'Name for people, at most 50 characters; null for none',
  })
  declare nickname?: string | null;

  @StringField({
    min: 3,
    max: 128,
    pattern: { regex: USERNAME, key: 'validation.characters' },
    description: 'User name at the SIP server',
    example: 'prosa',
  })
  declare sip_username: string;

  @StringField({
    min: 3,
    max: 255,
    description: 'Never returned',
    pattern: { regex: PASSWORD, key: 'validation.characters' },
    example: 'a-long-password',
  })
  declare sip_password: string;

  @StringField({
    max: MAX_ADDRESS,
    description: 'Host, or host:port, with ;transport=udp, tcp or tls where it matters',
    example: 'sip.example.com',
  })
  declare sip_address: string;

  @EnumField(SIP_CALLING_FORMATS, { description: 'How numbers are dialled' })
  declare sip_calling_format: SipTrunk['callingFormat'];

  @EnumField(INBOUND_AUTHORIZATION_TYPES, { description: 'What inbound calls are recognised by' })
  declare inbound_authorization_type: SipTrunk['inboundAuthorizationType'];

  @InboundIpsField()
  declare allowed_inbound_ips?: string[] | null;

  @CountryField({ description: 'Of an extension; a number tells its own country' })
  declare country_code: string;

  @OutboundProxyField()
  declare outbound_proxy?: boolean | string | null;

  @EnumField(MEDIA_ENCRYPTIONS, {
    optional: true,
    default: 'allowed',
    description:
      'SRTP: allowed takes it where calls in offer it and offers it over TLS, required talks in no other way',
  })
  declare media_encryption?: SipTrunk['mediaEncryption'];

  @IntegerField({
    optional: true,
    nullable: true,
    min: 1,
    description:
      'Calls in and out at the same time; calls out beyond wait or are refused, calls in hear that the line is busy. Null: no limit',
    example: 10,
  })
  declare max_parallel_calls?: number | null;
}

/** All optional; the type of a trunk stays. */
export class UpdateSipTrunkRequest extends PartialType(
  OmitType(CreateSipTrunkRequest, ['sip_trunk_type'] as const),
  { skipNullProperties: false },
) {}
