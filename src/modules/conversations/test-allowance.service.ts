import { Injectable } from '@nestjs/common';
import type { TokenSum } from '../../common/figures/token-sum.js';
import { Logger } from '../../common/observability/logger.js';
import { AllowancesService } from '../allowances/allowances.service.js';
import { TestAllowanceError } from './conversations.errors.js';

/** What the test conversations of an account may use in a day (UTC). They are free for the account. */
@Injectable()
export class TestAllowanceService {
  constructor(
    private readonly allowances: AllowancesService,
    private readonly logger: Logger,
  ) {}

  /**
   * Starts a turn with a message of the day. A turn that asks no model gives the message back.
   *
   * @throws TestAllowanceError before anything is stored
   */
  async spend<Turn>(
    userId: number,
    start: () => Promise<Turn>,
    asksModel: (turn: Turn) => boolean,
  ): Promise<Turn> {
    const tokens = await this.allowances.findUsedUp(userId, 'testTokens');
    if (tokens) throw new TestAllowanceError('tokens', tokens.max, tokens.resetsInSeconds);
    const messages = await this.allowances.take(userId, 'testMessages', 1);
    if (messages) throw new TestAllowanceError('messages', messages.max, messages.resetsInSeconds);
    let isSpent = false;
    try {
      const turn = await start();
      isSpent = asksModel(turn);
      return turn;
    } finally {
      if (!isSpent) await this.allowances.giveBack(userId, 'testMessages', 1);
    }
  }

  /** Notes what models have counted in a turn. Never fails, because the turn has its outcome already. */
  async noteTokens(userId: number, { inputTokens, outputTokens }: TokenSum): Promise<void> {
    try {
      await this.allowances.note(userId, 'testTokens', (inputTokens ?? 0) + (outputTokens ?? 0));
    } catch (error) {
      this.logger.warn('tokens of a test not noted', { userId, err: error });
    }
  }
}
