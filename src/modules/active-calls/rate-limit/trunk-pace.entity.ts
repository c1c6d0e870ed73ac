import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The same as AccountPace of a SIP trunk. */
@Entity('trunk_paces')
@Index('trunk_paces_user_id_idx', ['userId'])
export class TrunkPace {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'trunk_paces_pkey' })
  declare trunkId: number;

  @Column({ type: 'integer' })
  declare userId: number;

  @Column({ type: 'timestamptz' })
  declare nextAt: Date;

  @Column({ type: 'timestamptz' })
  declare placeAt: Date;

  @Column({ type: 'double precision' })
  declare stepMs: number;
}
