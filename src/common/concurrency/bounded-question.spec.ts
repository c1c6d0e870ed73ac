import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { BoundedQuestion } from './bounded-question.js';

describe('a bounded question', () => {
  it('has the answer that comes in time', async () => {
    const question = new BoundedQuestion(() => Promise.resolve('yes'), 1_000, 'no');
    expect(await question.ask()).toBe('yes');
  });

  it('has the other answer when asking fails', async () => {
    const question = new BoundedQuestion<string>(() => Promise.reject(new Error('away')), 1_000, 'no');
    expect(await question.ask()).toBe('no');
  });

  it('is asked once while no answer comes, and again after one has come late', async () => {
    const answers: ((answer: string) => void)[] = [];
    const question = new BoundedQuestion<string>(
      () => new Promise((resolve) => answers.push(resolve)),
      20,
      'no',
    );
    expect(await Promise.all([question.ask(), question.ask()])).toEqual(['no', 'no']);
    expect(await question.ask()).toBe('no');
    expect(answers).toHaveLength(1);
    answers[0]?.('late');
    await turn();
    const again = question.ask();
    answers[1]?.('yes');
    expect(await again).toBe('yes');
  });
});
