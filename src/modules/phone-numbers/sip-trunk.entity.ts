import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import { OwnedRow } from '../../database/columns.js';

export const SIP_TRUNK_TYPES = ['extension', 'number'] as const;
export const SIP_CALLING_FORMATS = ['+e164', 'e164', 'national'] as const;
export const MEDIA_ENCRYPTIONS = ['disabled', 'allowed', 'required'] as const;
export const INBOUND_AUTHORIZATION_TYPES = ['auth', 'ip'] as const;

/** How to reach the number of a row of `phone_numbers` with the same id, through the owner's own SIP provider. */
@Entity('sip_trunks')
@Unique('sip_trunks_account_key', ['userId', 'phoneNumber', 'username', 'address'])
@Check('sip_trunks_media_encryption_known', "media_encryption IN ('disabled', 'allowed', 'required')")
@Check('sip_trunks_max_parallel_calls_positive', 'max_parallel_calls >= 1')
@Check(
  'sip_trunks_ips_belong_to_ip',
  "(inbound_authorization_type = 'ip') = (allowed_inbound_ips IS NOT NULL)",
)
export class SipTrunk extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'sip_trunks_pkey' })
  declare id: number;

  /** The number's own, here too for the unique constraint; a foreign key holds both together. */
  @Column({ type: 'text' })
  declare phoneNumber: string;

  @Column({ type: 'text' })
  declare type: (typeof SIP_TRUNK_TYPES)[number];

  @Column({ type: 'text' })
  declare username: string;

  @Column({ type: 'text' })
  declare sealedPassword: string;

  /** Host of the provider's SIP server, in lower case, with port and transport where they were sent. */
  @Column({ type: 'text' })
  declare address: string;

  @Column({ type: 'text' })
  declare callingFormat: (typeof SIP_CALLING_FORMATS)[number];

  @Column({ type: 'text' })
  declare inboundAuthorizationType: (typeof INBOUND_AUTHORIZATION_TYPES)[number];

  /** Addresses and CIDR ranges calls may come from; null unless the authorization is by `ip`. */
  @Column({ type: 'text', array: true, nullable: true })
  declare allowedInboundIps: string[] | null;

  @Column({ type: 'boolean', default: false })
  declare outboundProxy: boolean;

  /** Of a proxy elsewhere than at `address`, as it was sent. Counts only where `outboundProxy` is true. */
  @Column({ type: 'text', nullable: true })
  declare outboundProxyAddress: string | null;

  @Column({ type: 'text', default: 'allowed' })
  declare mediaEncryption: (typeof MEDIA_ENCRYPTIONS)[number];

  /** Calls in and out at the same time that the operator takes; null: as many as there are. */
  @Column({ type: 'integer', nullable: true })
  declare maxParallelCalls: number | null;
}
