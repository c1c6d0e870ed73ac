import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { OwnedRowWithTimestamps } from '../../database/columns.js';
import type { BranchAction } from '../../common/phone/call-routing.js';
import type { RoutingHours } from './hours/routing-hours.js';
import type { RoutingQueue } from './number-routing.js';

/**
 * Who answers the calls of a number, where that is not just its assistant. It goes with the number. Its account is the
 * owner of the number.
 */
@Entity('number_routings')
@Index('number_routings_user_id_idx', ['userId'])
export class NumberRoutingRow extends OwnedRowWithTimestamps {
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'number_routings_pkey' })
  declare phoneNumberId: number;

  @Column({ type: 'jsonb', nullable: true })
  declare hours: RoutingHours | null;

  @Column({ type: 'jsonb' })
  declare closed: BranchAction;

  @Column({ type: 'jsonb' })
  declare unavailable: BranchAction;

  @Column({ type: 'text', nullable: true })
  declare lookupUrl: string | null;

  @Column({ type: 'integer', default: 3_000 })
  declare lookupTimeoutMs: number;

  @Column({ type: 'jsonb', nullable: true })
  declare queue: RoutingQueue | null;
}
