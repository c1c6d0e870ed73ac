import { beforeEach, describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@prosa/testing';
import type { AssistantSession } from '../session/assistant-session.js';
import type { CallSetup } from '../session/call-setup.js';
import type { SilenceWatch } from '../silence/silence-watch.js';
import type { CallControllerDependencies } from '../state/call-controller-dependencies.js';
import { CallLog } from '../state/call-log.js';
import { CallTermination } from '../state/call-termination.js';
import { ModelUsageCount } from '../state/model-usage-count.js';
import { CallToolsAdapter } from '../tools/call-tools-adapter.js';
import { DeskControl } from './desk-control.js';

const COLLEAGUE = '+5511987654321';

describe('a transfer by a person', () => {
  let clock: VirtualClock;
  let controls: CallToolsAdapter;
  let desk: DeskControl;
  let dialled: string[];
  let failures: string[];
  let isAnswerOwed: boolean | null;

  beforeEach(() => {
    clock = new VirtualClock();
    dialled = [];
    failures = [];
    isAnswerOwed = null;
    const session = {
      cut: () => {},
      takeOver: () => ({}),
      handBack: async (isOwed: () => boolean) => {
        isAnswerOwed = isOwed();
      },
      // A tool runs, and the words before it were cut.
      spoken: async () => 'cut',
    } as unknown as AssistantSession;
    const line = {
      capabilities: { transfer: 'refer' },
      transfer: async (_callId: string, { to }: { to: string }) => dialled.push(to),
    };
    const termination = new CallTermination(clock);
    const lastWords = {
      speaker: 'customer',
      text: 'Obrigado.',
      startMs: 0,
      endMs: 900,
      interrupted: false,
    } as const;
    const record = new CallLog([lastWords], () => 0);
    controls = new CallToolsAdapter(
      { callId: 'call', variableContext: {} } as unknown as CallSetup,
      {
        line,
        clock,
        transferCountries: [],
        resolveSipTarget: async () => [],
      } as unknown as CallControllerDependencies,
      termination,
      record,
      new ModelUsageCount(),
      () => session,
    );
    const silence = { pause: () => {} } as unknown as SilenceWatch;
    desk = new DeskControl(controls, record, silence, termination, {
      session,
      isOnHold: false,
      onTransferFailed: (outcome) => failures.push(outcome),
    });
  });

  it('is made also while a tool of the assistant runs whose words were cut', async () => {
    const transfer = desk.transfer(COLLEAGUE);
    await clock.pass(1_000);
    expect(dialled).toEqual([COLLEAGUE]);
    controls.concludeTransfer(null, 'no-answer');
    await clock.until(transfer);
    expect(failures).toEqual(['no-answer']);
  });

  it('leaves nothing for the assistant to answer when they hand back before its end', async () => {
    desk.takeOver({ memberName: 'Ana' });
    const transfer = desk.transfer(COLLEAGUE);
    await clock.pass(1_000);
    await desk.handBack(null);
    expect(isAnswerOwed).toBe(false);
    controls.concludeTransfer(null, 'no-answer');
    await clock.until(transfer);
    expect(failures).toEqual(['no-answer']);
  });
});
