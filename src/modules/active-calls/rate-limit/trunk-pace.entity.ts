import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from '../../../database/columns.js';

/** The same as AccountPace of a SIP trunk. */
@Entity('trunk_paces')
@Index('trunk_paces_user_id_idx', ['userId'])
export class TrunkPace extends OwnedRow {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'trunk_paces_pkey' })
  declare trunkId: number;

  @Column({ type: 'timestamptz' })
  declare nextAt: Date;

  @Column({ type: 'timestamptz' })
  declare placeAt: Date;

  @Column({ type: 'double precision' })
  declare stepMs: number;
}
