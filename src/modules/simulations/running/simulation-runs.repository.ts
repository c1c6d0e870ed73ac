import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { Tx } from '../../../database/transactions.js';
import type { Scenario } from '../scenario.js';
import type { CheckOutcome, Reason, RunStatus } from '../simulation-run.entity.js';
import type { TalkEnd, TalkTurn } from '../talk/talk.js';

/** A run that is being played. `attempts` is its fencing token: only the process that began it last may write. */
export interface BegunRun {
  readonly id: number;
  readonly attempts: number;
  readonly userId: number;
  readonly simulationId: number;
  readonly assistantId: number;
  readonly systemPrompt: string;
  readonly scenario: Scenario;
  /** By an earlier attempt. */
  readonly hasCalledTools: boolean;
}

/** What models have counted; null where none has. */
export interface RunUsage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

export interface RunResult {
  readonly status: Exclude<RunStatus, 'pending'>;
  readonly endedBy: TalkEnd | null;
  readonly checks: readonly CheckOutcome[];
  readonly error: Reason | null;
}

@Injectable()
export class SimulationRunsRepository {
  constructor(private readonly database: Database) {}

  /** The first runs of a simulation that are not over. */
  pending(simulationId: number, limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT id FROM simulation_runs WHERE simulation_id = $1 AND status = 'pending' ORDER BY number LIMIT $2`,
      [simulationId, limit],
    );
  }

  /** The same of all simulations that are under way, the oldest first. */
  allPending(simulations: number, limit: number): Promise<number[]> {
    return this.database.values<number>(
      `SELECT run.id
       FROM (SELECT id FROM simulations WHERE status = 'processing' ORDER BY id LIMIT $1) AS simulation,
         LATERAL (SELECT id FROM simulation_runs WHERE simulation_id = simulation.id AND status = 'pending'
                  ORDER BY number LIMIT $2) AS run`,
      [simulations, limit],
    );
  }

  /** Begins a run anew; null when it is over or gone. What it has said with real tools stays: it is not said again. */
  begin(runId: number): Promise<BegunRun | null> {
    return this.database.first<BegunRun>(
      `UPDATE simulation_runs AS run
       SET attempts = attempts + 1, started_at = now(),
         transcript = CASE WHEN has_called_tools THEN transcript ELSE '[]' END,
         input_tokens = CASE WHEN has_called_tools THEN input_tokens END,
         output_tokens = CASE WHEN has_called_tools THEN output_tokens END
       FROM simulations AS simulation
       WHERE run.id = $1 AND run.status = 'pending' AND simulation.id = run.simulation_id
       RETURNING run.id, run.attempts, run.user_id AS "userId", run.simulation_id AS "simulationId",
         simulation.assistant_id AS "assistantId", simulation.system_prompt AS "systemPrompt", simulation.scenario,
         run.has_called_tools AS "hasCalledTools"`,
      [runId],
    );
  }

  /** Stores the turns so far; false when the run is gone, over, or another process has it by now. */
  save(
    { id, attempts }: BegunRun,
    said: readonly TalkTurn[],
    { inputTokens, outputTokens }: RunUsage,
  ): Promise<boolean> {
    return this.database.matches(
      `UPDATE simulation_runs SET transcript = $3, input_tokens = $4, output_tokens = $5
       WHERE id = $1 AND attempts = $2 AND status = 'pending' RETURNING id`,
      [id, attempts, JSON.stringify(said), inputTokens, outputTokens],
    );
  }

  /**
   * Records that a real tool is about to be called; false when the run is gone, over, or another process has it by
   * now.
   */
  noteToolCall({ id, attempts }: BegunRun): Promise<boolean> {
    return this.database.matches(
      `UPDATE simulation_runs SET has_called_tools = true
       WHERE id = $1 AND attempts = $2 AND status = 'pending' RETURNING id`,
      [id, attempts],
    );
  }

  /** Keeps the simulation to this transaction, so that of two last runs one sees the other. */
  async lockSimulation({ simulationId }: BegunRun, tx: Tx): Promise<void> {
    await this.database.query('SELECT FROM simulations WHERE id = $1 FOR UPDATE', [simulationId], tx);
  }

  /** Tokens that are not counted anew stay as they are. */
  async finish(
    { id, attempts }: BegunRun,
    { status, endedBy, checks, error }: RunResult,
    { inputTokens, outputTokens }: RunUsage,
    tx: Tx,
  ): Promise<void> {
    await this.database.query(
      `UPDATE simulation_runs SET status = $3, ended_by = $4, checks = $5, error = $6,
         input_tokens = coalesce($7, input_tokens), output_tokens = coalesce($8, output_tokens), finished_at = now()
       WHERE id = $1 AND attempts = $2 AND status = 'pending'`,
      [
        id,
        attempts,
        status,
        endedBy,
        JSON.stringify(checks),
        error && JSON.stringify(error),
        inputTokens,
        outputTokens,
      ],
      tx,
    );
  }

  async completeIfOver({ simulationId }: BegunRun, tx: Tx): Promise<void> {
    await this.database.query(
      `UPDATE simulations SET status = 'completed', finished_at = now()
       WHERE id = $1 AND status = 'processing' AND NOT EXISTS (
         SELECT FROM simulation_runs WHERE simulation_id = $1 AND status = 'pending')`,
      [simulationId],
      tx,
    );
  }

  async deleteOld(ageMs: number, limit: number): Promise<void> {
    await this.database.query(
      `DELETE FROM simulations WHERE id IN (
         SELECT id FROM simulations WHERE finished_at < now() - $1 * interval '1 millisecond'
         ORDER BY finished_at LIMIT $2)`,
      [ageMs, limit],
    );
  }
}
