import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../database/columns.js';

/** A number of the pool a campaign calls from. */
@Entity('campaign_phone_numbers')
@Index('campaign_phone_numbers_user_id_idx', ['userId', 'campaignId', 'position'])
@Index('campaign_phone_numbers_number_idx', ['phoneNumberId'])
export class CampaignPhoneNumber extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'campaign_phone_numbers_pkey' })
  declare campaignId: number;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'campaign_phone_numbers_pkey' })
  declare phoneNumberId: number;

  /** Place in the rotation, as the user ordered them. */
  @Column({ type: 'smallint' })
  declare position: number;
}
