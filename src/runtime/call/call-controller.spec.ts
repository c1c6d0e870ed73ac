import { expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import { CallCarrierError } from '../../providers/telephony/call-carrier-error.js';
import type { CallEvent } from '../../providers/telephony/call/carrier-call.js';
import type { CallLine } from '../../providers/telephony/call/call-line.js';
import { EventQueue } from '../../providers/telephony/event-queue.js';
import { CallController } from './call-controller.js';
import type { AssistantSession } from './session/assistant-session.js';
import type { CallSetup } from './session/call-setup.js';

it('closes a session that could not start', async () => {
  const clock = new VirtualClock();
  let closed = 0;
  const session = {
    start: () => Promise.reject(new CallCarrierError('call-over', 'no')),
    close: async () => {
      closed++;
      return { modelUsage: [], recording: null };
    },
  } as unknown as AssistantSession;
  const setup = {
    callId: 'call',
    events: new EventQueue<CallEvent>(),
    assistant: { id: 1, variablesOf: () => ({}), toolVariablesOf: () => ({}) },
    variableContext: { variables: {} },
    settings: { maxDurationMs: 60_000, monitoringAnnouncement: null, keypad: null },
    signal: new AbortController().signal,
  } as unknown as CallSetup;
  const controller = new CallController(setup, {
    line: { media: {}, capabilities: {}, hangUp: async () => {} } as unknown as CallLine,
    sessions: { prepare: () => {}, make: async () => session },
    userId: 1,
    chatModel: {} as never,
    clock,
    maxHoldMs: 600_000,
    transferCountries: [],
    resolveSipTarget: (() => {}) as never,
  });
  const { endedBy } = await clock.until(controller.run());
  expect([closed, endedBy]).toEqual([1, 'failed']);
});
