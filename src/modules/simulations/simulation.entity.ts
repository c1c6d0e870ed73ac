import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';
import type { Scenario } from './scenario.js';

export const SIMULATION_STATUSES = ['processing', 'completed'] as const;
export type SimulationStatus = (typeof SIMULATION_STATUSES)[number];

/** A scenario that is played with an assistant a number of times. */
@Entity('simulations')
@Index('simulations_assistant_id_idx', ['assistantId', 'id'])
@Index('simulations_user_id_idx', ['userId', 'id'])
@Index('simulations_processing_idx', ['id'], { where: "(status = 'processing'::text)" })
@Index('simulations_finished_idx', ['finishedAt'], { where: '(finished_at IS NOT NULL)' })
@Check('simulations_status_known', "status IN ('processing', 'completed')")
@Check('simulations_finished', "(status = 'completed') = (finished_at IS NOT NULL)")
export class Simulation extends OwnedRowWithCreatedAt {
  @IdColumn('simulations_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare assistantId: number;

  @Column({ type: 'text', nullable: true })
  declare name: string | null;

  /** The prompt that is tried, kept so that all runs have the same. */
  @Column({ type: 'text' })
  declare systemPrompt: string;

  /** Which of the assistant's prompts it is; null for a draft. */
  @Column({ type: 'integer', nullable: true })
  declare promptVersionId: number | null;

  @Column({ type: 'jsonb' })
  declare scenario: Scenario;

  /** How often it is played. */
  @Column({ type: 'smallint' })
  declare runs: number;

  @Column({ type: 'text', default: 'processing' })
  declare status: SimulationStatus;

  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;
}
