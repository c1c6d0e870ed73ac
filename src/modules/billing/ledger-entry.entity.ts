import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import { bigintAsNumber, OwnedRowWithCreatedAt } from '../../database/columns.js';

/** `account_closed`, the last entry of an account that was deleted, is written by the wallet's end alone. */
export type LedgerKind = 'credit' | 'message' | 'call' | 'phone_number';

/** One movement of a balance. Rows are only ever added: a trigger refuses change and deletion. */
@Entity('ledger_entries')
@Unique('ledger_entries_reference_key', ['userId', 'reference'])
@Index('ledger_entries_user_id_id_idx', ['userId', 'id'])
@Index('ledger_entries_user_id_created_at_idx', ['userId', 'createdAt'])
export class LedgerEntry extends OwnedRowWithCreatedAt {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'ledger_entries_pkey',
  })
  declare id: string;

  @Column({ type: 'text' })
  declare kind: LedgerKind;

  /** Negative for a charge. */
  @Column({ type: 'bigint', transformer: bigintAsNumber })
  declare amountMicros: number;

  @Column({ type: 'bigint', transformer: bigintAsNumber })
  declare balanceAfterMicros: number;

  /** What it was for, such as `message:42`. The same thing is never charged twice. */
  @Column({ type: 'text' })
  declare reference: string;
}
