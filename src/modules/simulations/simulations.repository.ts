import { Injectable } from '@nestjs/common';
import type { PageOf, PageRequest } from '../../common/http/page.js';
import { Database } from '../../database/database.js';
import { deleteOne, findPage } from '../../database/entity-statements.js';
import type { Tx } from '../../database/transactions.js';
import { SimulationRun } from './simulation-run.entity.js';
import { Simulation } from './simulation.entity.js';

export type NewSimulation = Pick<
  Simulation,
  'userId' | 'assistantId' | 'name' | 'systemPrompt' | 'promptVersionId' | 'scenario' | 'runs'
>;

/** How the runs of a simulation stand. */
export interface Totals {
  readonly pending: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Null where no provider has counted. */
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
}

@Injectable()
export class SimulationsRepository {
  constructor(private readonly database: Database) {}

  /** Writes a simulation with its runs. Returns its id. */
  async add(simulation: NewSimulation, tx: Tx): Promise<number> {
    const { userId, assistantId, name, systemPrompt, promptVersionId, scenario, runs } = simulation;
    const [row] = await this.database.query<{ id: number }>(
      `WITH added AS (
         INSERT INTO simulations (user_id, assistant_id, name, system_prompt, prompt_version_id, scenario, runs)
         VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id),
       its_runs AS (
         INSERT INTO simulation_runs (user_id, simulation_id, number)
         SELECT $1, added.id, number FROM added, generate_series(1, $7) AS number)
       SELECT id FROM added`,
      [userId, assistantId, name, systemPrompt, promptVersionId, JSON.stringify(scenario), runs],
      tx,
    );
    if (!row) throw new Error('an insert without a row');
    return row.id;
  }

  countUnderWay(userId: number, tx: Tx): Promise<number> {
    return this.database.manager(tx).countBy(Simulation, { userId, status: 'processing' });
  }

  /** Deletes the oldest that are over, beyond the newest `keep` of the account. */
  async deleteBeyond(userId: number, keep: number, tx: Tx): Promise<void> {
    await this.database.query(
      `DELETE FROM simulations WHERE user_id = $1 AND status = 'completed' AND id <= (
         SELECT id FROM simulations WHERE user_id = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
      [userId, keep],
      tx,
    );
  }

  find(userId: number, id: number): Promise<Simulation | null> {
    return this.database.manager().findOneBy(Simulation, { userId, id });
  }

  /** Newest first. */
  pageOf(userId: number, assistantId: number, page: PageRequest): Promise<PageOf<Simulation>> {
    return findPage(this.database.manager(), Simulation, page, {
      where: { userId, assistantId },
      order: { id: 'DESC' },
    });
  }

  runsOf(userId: number, simulationId: number): Promise<SimulationRun[]> {
    return this.database
      .manager()
      .find(SimulationRun, { where: { userId, simulationId }, order: { number: 'ASC' } });
  }

  /** How the runs of some simulations stand. */
  async totalsOf(userId: number, ids: readonly number[]): Promise<ReadonlyMap<number, Totals>> {
    const rows = await this.database.query<Totals & { id: number }>(
      `SELECT simulation_id AS id,
         count(*) FILTER (WHERE status = 'pending')::integer AS pending,
         count(*) FILTER (WHERE status = 'passed')::integer AS passed,
         count(*) FILTER (WHERE status = 'failed')::integer AS failed,
         count(*) FILTER (WHERE status = 'error')::integer AS errors,
         sum(input_tokens)::double precision AS "inputTokens",
         sum(output_tokens)::double precision AS "outputTokens"
       FROM simulation_runs WHERE user_id = $1 AND simulation_id = ANY($2) GROUP BY simulation_id`,
      [userId, ids],
    );
    return new Map(rows.map(({ id, ...totals }) => [id, totals]));
  }

  delete(userId: number, id: number): Promise<boolean> {
    return deleteOne(this.database.manager(), Simulation, { userId, id });
  }
}
