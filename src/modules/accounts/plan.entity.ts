import { Check, Column, Entity, Unique } from 'typeorm';
import { IdColumn } from '../../database/columns.js';

/** What an account may have. A limit is a number in this table, never a constant in code. */
@Entity('plans')
@Unique('plans_code_key', ['code'])
@Check('plans_max_calls_per_second_positive', 'max_calls_per_second > 0')
export class Plan {
  @IdColumn('plans_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare code: string;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'integer' })
  declare maxTools: number;

  @Column({ type: 'integer' })
  declare maxApiKeys: number;

  @Column({ type: 'integer' })
  declare maxCampaigns: number;

  @Column({ type: 'integer' })
  declare maxCallsInParallel: number;

  /** Null: as ACCOUNT_CALLS_PER_SECOND says. */
  @Column({ type: 'double precision', nullable: true })
  declare maxCallsPerSecond: number | null;

  @Column({ type: 'integer' })
  declare maxKnowledgebases: number;

  @Column({ type: 'integer', default: 50 })
  declare maxMembers: number;

  @Column({ type: 'integer', default: 500 })
  declare maxSipTrunks: number;
}
