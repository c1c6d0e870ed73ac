import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { AllowancesService } from '../allowances/allowances.service.js';
import { SimulationAllowanceError } from './simulations.errors.js';

/** What the simulations of an account may use in a day (UTC). */
@Injectable()
export class SimulationAllowanceService {
  constructor(private readonly allowances: AllowancesService) {}

  /**
   * Takes conversations from what is left of the day.
   *
   * @throws SimulationAllowanceError
   */
  async takeRuns(userId: number, runs: number, tx: Tx): Promise<void> {
    const refusal = await this.allowances.take(userId, 'simulationRuns', runs, tx);
    if (refusal) throw new SimulationAllowanceError({ runs: refusal.max, used: refusal.used });
    await this.requireLeft(userId, tx);
  }

  /** Notes what models have counted. */
  async noteTokens(userId: number, tokens: number): Promise<void> {
    await this.allowances.note(userId, 'simulationTokens', tokens);
  }

  /** @throws SimulationAllowanceError when no tokens are left for the day */
  async requireLeft(userId: number, tx?: Tx): Promise<void> {
    const usedUp = await this.allowances.findUsedUp(userId, 'simulationTokens', tx);
    if (usedUp) throw new SimulationAllowanceError({ tokens: usedUp.max });
  }
}
