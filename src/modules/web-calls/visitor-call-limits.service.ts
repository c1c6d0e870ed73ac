import { Injectable } from '@nestjs/common';
import { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import { VisitorCallsLimitError } from '../calls/calls.errors.js';
import { WebCallsRepository } from './web-calls.repository.js';

/** Bounds how many calls visitors have at once with one assistant, and from one address. */
@Injectable()
export class VisitorCallLimitsService {
  constructor(
    private readonly webCalls: WebCallsRepository,
    private readonly limits: LimitsConfig,
  ) {}

  /**
   * To be called when the call has taken its line. The account's limits are locked by then, so that of several calls at once
   * each counts the others.
   *
   * @param visitor a hash of the visitor's address
   * @throws VisitorCallsLimitError
   */
  async check(assistantId: number, visitor: string, tx: Tx): Promise<void> {
    if (!this.limits.enabled) return;
    const open = await this.webCalls.countOpen(assistantId, visitor, tx);
    const { callsPerAssistant, callsPerAddress } = this.limits.visitors;
    if (open.ofAssistant > callsPerAssistant || open.ofAddress > callsPerAddress) {
      throw new VisitorCallsLimitError();
    }
  }
}
