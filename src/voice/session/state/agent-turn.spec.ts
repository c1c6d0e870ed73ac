import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentTurn } from './agent-turn.js';

describe('AgentTurn', () => {
  let reports: string[];
  let turn: AgentTurn;

  beforeEach(() => {
    reports = [];
    turn = new AgentTurn({
      onReply: (reply) => reports.push(`reply ${reply}`),
      onActivity: (activity) => reports.push(activity),
      onShown: (state) => reports.push(`shown ${state}`),
    });
  });

  it('reports what has changed, and nothing else', () => {
    turn.dispatch('reply-due');
    turn.dispatch('reply-due');
    turn.dispatch('customer-started');
    turn.dispatch('sound-heard');
    turn.dispatch('sound-ended');
    expect(reports).toEqual([
      'reply due',
      'shown thinking',
      'reply none',
      'busy',
      'shown speaking',
      'listening',
      'shown listening',
    ]);
  });

  it('runs tools from the first that begins to the last that ends', () => {
    const [endFirst, endSecond] = [turn.tools.begin(), turn.tools.begin()];
    endFirst();
    expect(turn.state.tools).toBe('running');
    endSecond();
    expect(turn.state.tools).toBe('none');
    expect(reports).toEqual(['busy', 'shown thinking', 'listening', 'shown listening']);
  });

  it('is busy during an action, also one that fails', async () => {
    const failing = turn.during(() => Promise.reject(new Error('broken')));
    expect(turn.state.actions).toBe('running');
    await expect(failing).rejects.toThrow('broken');
    expect(reports).toEqual(['busy', 'listening']);
  });
});
