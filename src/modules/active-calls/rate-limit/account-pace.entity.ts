import { Column, Entity, PrimaryColumn } from 'typeorm';

/** When an account whose calls a second are limited may make its next one, by whichever process. */
@Entity('account_paces')
export class AccountPace {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'account_paces_pkey' })
  declare userId: number;

  /** When the next of its calls may line up at the carrier. */
  @Column({ type: 'timestamptz' })
  declare nextAt: Date;

  /** When the carrier may be asked for the next of its calls. */
  @Column({ type: 'timestamptz' })
  declare placeAt: Date;

  /** Between two of its calls; tells the dialler how many may be claimed. */
  @Column({ type: 'double precision' })
  declare stepMs: number;
}
