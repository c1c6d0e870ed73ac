import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SecretBox } from '../../common/crypto/secret-box.js';
import type { LimitsConfig } from '../../config/config.js';
import type { Tx } from '../../database/transactions.js';
import type { VisitorPolicy } from '../assistants/settings/visitor-policy.js';
import { type Challenge, ChallengesService } from './challenges.service.js';
import { isSolved } from './proof-of-work.js';
import type { UsedChallengesRepository } from './used-challenges.repository.js';
import { ChallengeInvalidError, ChallengeRequiredError } from './visitors.errors.js';

const KEY = Buffer.alloc(32, 1).toString('base64');
const TX = {} as Tx;
const DIFFICULTY = 6;
const POLICY = { userId: 1, assistantUuid: 'a' } as VisitorPolicy;

describe('a challenge', () => {
  const seen = new Map<string, Date>();
  const used = {
    add: async (id: string, expiresAt: Date) => {
      if (seen.has(id)) return false;
      seen.set(id, expiresAt);
      return true;
    },
  } as unknown as UsedChallengesRepository;
  const limits = { visitors: { challengeDifficulty: DIFFICULTY } } as LimitsConfig;
  const challenges = new ChallengesService(used, new SecretBox([KEY]), limits);

  beforeEach(() => {
    seen.clear();
    jest.useFakeTimers({ now: new Date('2026-03-01T12:00:00Z'), doNotFake: ['queueMicrotask'] });
  });
  afterEach(() => void jest.useRealTimers());

  function solutionOf({ token }: Challenge, isRight = true): string {
    for (let n = 0; ; n++) if (isSolved(token, String(n), DIFFICULTY) === isRight) return String(n);
  }
  const use = (challenge: Challenge, policy = POLICY) =>
    challenges.use(policy, { token: challenge.token, solution: solutionOf(challenge) }, TX);

  it('asks for as much work as the installation says, for ten minutes', () => {
    const challenge = challenges.issue(POLICY);
    expect(challenge).toMatchObject({ difficulty: DIFFICULTY, expiresAt: new Date('2026-03-01T12:10:00Z') });
  });

  it('that is solved lets one conversation be opened, and is kept until it expires', async () => {
    const challenge = challenges.issue(POLICY);
    await use(challenge);
    expect([...seen.values()]).toEqual([challenge.expiresAt]);
    await expect(use(challenge)).rejects.toBeInstanceOf(ChallengeInvalidError);
  });

  it('is good until the millisecond before it expires', async () => {
    const [first, second] = [challenges.issue(POLICY), challenges.issue(POLICY)];
    jest.advanceTimersByTime(599_999);
    await use(first);
    jest.advanceTimersByTime(1);
    await expect(use(second)).rejects.toBeInstanceOf(ChallengeInvalidError);
  });

  it('is required', async () => {
    await expect(challenges.use(POLICY, null, TX)).rejects.toBeInstanceOf(ChallengeRequiredError);
  });

  it('is refused when it is not solved, and stays unused', async () => {
    const challenge = challenges.issue(POLICY);
    const sent = { token: challenge.token, solution: solutionOf(challenge, false) };
    await expect(challenges.use(POLICY, sent, TX)).rejects.toBeInstanceOf(ChallengeInvalidError);
    expect(seen.size).toBe(0);
  });

  it.each([
    ['another assistant', { ...POLICY, assistantUuid: 'b' }],
    ['another account', { ...POLICY, userId: 2 }],
  ])('is none of %s', async (_title, policy) => {
    await expect(use(challenges.issue(POLICY), policy)).rejects.toBeInstanceOf(ChallengeInvalidError);
  });

  it('of no making of ours is refused, and a fault of ours is none of the visitor’s', async () => {
    const sent = { token: 'nonsense', solution: '1' };
    await expect(challenges.use(POLICY, sent, TX)).rejects.toBeInstanceOf(ChallengeInvalidError);
    const broken = new ChallengesService(
      used,
      {
        open: () => {
          throw new TypeError('fault');
        },
      } as unknown as SecretBox,
      limits,
    );
    await expect(broken.use(POLICY, sent, TX)).rejects.toBeInstanceOf(TypeError);
  });

  it('opens no secret of another kind of the same assistant', async () => {
    const box = new SecretBox([KEY]);
    const content = JSON.stringify({ id: 'x', difficulty: 0, expiresAtMs: Date.now() + 1_000 });
    const token = box.seal(content, { userId: 1, column: 'tools.headers', rowId: 'a' });
    await expect(challenges.use(POLICY, { token, solution: '' }, TX)).rejects.toBeInstanceOf(
      ChallengeInvalidError,
    );
  });
});
