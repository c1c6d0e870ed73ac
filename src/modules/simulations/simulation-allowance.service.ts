import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { SimulationUsageRepository } from './simulation-usage.repository.js';
import { SimulationAllowanceError } from './simulations.errors.js';

/**
 * What the simulations of an account may use in a day (UTC). They are free, so that nothing else keeps a loop in CI from using up
 * the model of the whole installation.
 */
@Injectable()
export class SimulationAllowanceService {
  constructor(
    private readonly usage: SimulationUsageRepository,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * Takes conversations from what is left of the day. The caller holds the lock on the limits of the account.
   *
   * @throws SimulationAllowanceError
   */
  async takeRuns(userId: number, runs: number, tx: Tx): Promise<void> {
    const { enabled, simulationRunsPerDay } = this.limits;
    const used = await this.usage.today(userId, tx);
    if (enabled && used.runs + runs > simulationRunsPerDay)
      throw new SimulationAllowanceError({ runs: simulationRunsPerDay, used: used.runs });
    this.requireTokens(used.tokens);
    await this.usage.addRuns(userId, runs, tx);
  }

  /** Notes what models have counted. */
  async noteTokens(userId: number, tokens: number): Promise<void> {
    if (tokens > 0) await this.usage.addTokens(userId, tokens);
  }

  /** @throws SimulationAllowanceError when no tokens are left for the day */
  async requireLeft(userId: number): Promise<void> {
    this.requireTokens((await this.usage.today(userId)).tokens);
  }

  private requireTokens(used: number): void {
    const { enabled, simulationTokensPerDay: max } = this.limits;
    if (enabled && used >= max) throw new SimulationAllowanceError({ tokens: max });
  }
}
