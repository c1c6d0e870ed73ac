import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRow } from '../../database/columns.js';
import type { TextParams } from '../../i18n/text.js';
import type { TalkEnd, TalkTurn } from './talk/talk.js';

/** `error`: the conversation broke off, so that nothing can be said about the assistant. */
export const RUN_STATUSES = ['pending', 'passed', 'failed', 'error'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The outcome of a check: a text of the catalogue, or the words of a model. */
export interface CheckOutcome {
  readonly passed: boolean;
  readonly reason: Reason;
}

export type Reason = { readonly key: string; readonly params?: TextParams } | { readonly words: string };

/** One conversation of a simulation. */
@Entity('simulation_runs')
@Unique('simulation_runs_simulation_id_number_key', ['simulationId', 'number'])
@Index('simulation_runs_user_id_idx', ['userId'])
@Check('simulation_runs_status_known', "status IN ('pending', 'passed', 'failed', 'error')")
@Check('simulation_runs_finished', "(status = 'pending') = (finished_at IS NULL)")
export class SimulationRun extends OwnedRow {
  @IdColumn('simulation_runs_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare simulationId: number;

  /** From 1. */
  @Column({ type: 'smallint' })
  declare number: number;

  @Column({ type: 'text', default: 'pending' })
  declare status: RunStatus;

  /** How often it was begun; the process that began it last may write. */
  @Column({ type: 'smallint', default: 0 })
  declare attempts: number;

  /** Tools were called for real: it is not played anew. */
  @Column({ type: 'boolean', default: false })
  declare hasCalledTools: boolean;

  @Column({ type: 'jsonb', default: () => "'[]'" })
  declare transcript: readonly TalkTurn[];

  @Column({ type: 'text', nullable: true })
  declare endedBy: TalkEnd | null;

  /** One for each check of the scenario, in its order; empty until the conversation is over. */
  @Column({ type: 'jsonb', default: () => "'[]'" })
  declare checks: readonly CheckOutcome[];

  /** Why it broke off. */
  @Column({ type: 'jsonb', nullable: true })
  declare error: Reason | null;

  /** Of all models that took part; null where the provider does not count. */
  @Column({ type: 'integer', nullable: true })
  declare inputTokens: number | null;

  @Column({ type: 'integer', nullable: true })
  declare outputTokens: number | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare startedAt: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;
}
