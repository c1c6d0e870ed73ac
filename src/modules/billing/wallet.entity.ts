import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintAsNumber } from '../../database/columns.js';

/** Balance of an account in micro-dollars. What is held is still in the balance but cannot be spent twice. */
@Entity('wallets')
@Check('wallets_balance_not_negative', 'balance_micros >= 0')
@Check('wallets_held_within_balance', 'held_micros >= 0 AND held_micros <= balance_micros')
export class Wallet {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'wallets_pkey' })
  declare userId: number;

  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare balanceMicros: number;

  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare heldMicros: number;

  /** Spent on `spentOn`, for the daily cap. */
  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare spentMicros: number;

  @Column({ type: 'date', default: () => "'1970-01-01'" })
  declare spentOn: string;

  /** Held and charged for visitors on `visitorsOn`, a UTC day; a part of what is held and spent. */
  @Column({ type: 'bigint', default: 0, transformer: bigintAsNumber })
  declare visitorsMicros: number;

  @Column({ type: 'date', default: () => "'1970-01-01'" })
  declare visitorsOn: string;

  /** What visitors may spend a day; null: as the installation says. */
  @Column({ type: 'bigint', nullable: true, transformer: bigintAsNumber })
  declare visitorsCapMicros: number | null;
}
