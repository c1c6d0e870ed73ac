import { describe, expect, it } from '@jest/globals';
import type { RunningCall } from '../active-calls/running-call.js';
import { variableContextOf } from './monitored-call.js';

describe('the variables of a call', () => {
  it.each([true, false])('are a visitor’s where a visitor opened it: %s', (byVisitor) => {
    const running = {
      call: { inputVariables: { plan: 'gold' }, clientPhoneNumber: null, assistantPhoneNumber: null },
      active: { byVisitor },
    } as unknown as RunningCall;
    expect(variableContextOf(running)).toMatchObject({
      variables: { plan: 'gold' },
      isFromVisitor: byVisitor,
    });
  });
});
