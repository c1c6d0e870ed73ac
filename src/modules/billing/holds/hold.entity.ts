import { Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { bigintAsNumber, OwnedRowWithCreatedAt } from '../../../database/columns.js';
import type { LedgerKind } from '../ledger-entry.entity.js';

export type HoldState = 'held' | 'captured' | 'voided';

/** Money set aside for work under way: captured with its result, voided when there is none. */
@Entity('holds')
@Unique('holds_reference_key', ['userId', 'reference'])
@Index('holds_open_idx', ['createdAt'], { where: "state = 'held'" })
@Index('holds_settled_idx', ['createdAt'], { where: "state <> 'held'" })
export class Hold extends OwnedRowWithCreatedAt {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'holds_pkey' })
  declare id: string;

  @Column({ type: 'text' })
  declare kind: LedgerKind;

  @Column({ type: 'bigint', transformer: bigintAsNumber })
  declare amountMicros: number;

  @Column({ type: 'text' })
  declare reference: string;

  @Column({ type: 'text', default: 'held' })
  declare state: HoldState;

  /** The assistant whose visitor caused it; null for the owner's own work, and once it was resumed on a later day. */
  @Column({ type: 'integer', nullable: true })
  declare visitorOf: number | null;
}
