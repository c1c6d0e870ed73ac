import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace, SecretUnreadableError } from '../../common/crypto/secret-box.js';
import { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import type { VisitorPolicy } from '../assistants/settings/visitor-policy.js';
import { isSolved } from './proof-of-work.js';
import { UsedChallengesRepository } from './used-challenges.repository.js';
import type { ChallengeSolution } from './visitor.js';
import { ChallengeInvalidError, ChallengeRequiredError } from './visitors.errors.js';

const LIFETIME_MS = 600_000;

/** A puzzle: find a text so that SHA-256 of `token.text` begins with `difficulty` zero bits. */
export interface Challenge {
  readonly token: string;
  readonly difficulty: number;
  readonly expiresAt: Date;
}

interface Sealed {
  readonly id: string;
  readonly difficulty: number;
  readonly expiresAtMs: number;
}

/**
 * Makes opening a conversation cost its visitor some work. Nothing is stored for a challenge until it is used: its
 * token carries all of it, sealed to its assistant.
 */
@Injectable()
export class ChallengesService {
  constructor(
    private readonly used: UsedChallengesRepository,
    private readonly secrets: SecretBox,
    private readonly limits: LimitsConfig,
  ) {}

  issue(policy: VisitorPolicy): Challenge {
    const difficulty = this.limits.visitors.challengeDifficulty;
    const expiresAt = new Date(Date.now() + LIFETIME_MS);
    const sealed: Sealed = { id: randomUUID(), difficulty, expiresAtMs: expiresAt.getTime() };
    return { token: this.secrets.seal(JSON.stringify(sealed), placeOf(policy)), difficulty, expiresAt };
  }

  /**
   * Uses a solved challenge up, with the transaction.
   *
   * @throws ChallengeRequiredError without a solution
   * @throws ChallengeInvalidError where it is of another assistant, wrong, expired, or was used
   */
  async use(policy: VisitorPolicy, sent: ChallengeSolution | null, tx: Tx): Promise<void> {
    if (!sent) throw new ChallengeRequiredError();
    const { id, difficulty, expiresAtMs } = this.open(policy, sent.token);
    if (expiresAtMs <= Date.now() || !isSolved(sent.token, sent.solution, difficulty)) {
      throw new ChallengeInvalidError();
    }
    if (!(await this.used.add(id, new Date(expiresAtMs), tx))) throw new ChallengeInvalidError();
  }

  private open(policy: VisitorPolicy, token: string): Sealed {
    try {
      return JSON.parse(this.secrets.open(token, placeOf(policy))) as Sealed;
    } catch (error) {
      if (error instanceof SecretUnreadableError) throw new ChallengeInvalidError();
      throw error;
    }
  }
}

function placeOf({ userId, assistantUuid }: VisitorPolicy): SecretPlace {
  return { userId, column: 'challenges', rowId: assistantUuid };
}
