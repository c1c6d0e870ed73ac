import { SandboxCallCarrier } from '../../src/providers/telephony/sandbox/sandbox-call-carrier.js';
import { MemoryJournal } from '../../src/providers/telephony/sandbox/sandbox-journal.js';
import { SANDBOX_TIMES, speechMs } from '../../src/providers/telephony/sandbox/sandbox-times.js';
import { TextSessionFactory } from '../../src/runtime/call/text/text-session-factory.js';
import type { CallRulesSubject } from '../conformance/call-rules/call-rules.js';
import { VirtualClock } from '@prosa/testing';

/** The rules of a call on the sandbox in words, in virtual time. */
export const TEXT_ON_SANDBOX: CallRulesSubject = {
  timeScale: 1,
  toleranceMs: 0,
  thinksMs: SANDBOX_TIMES.thinksMs,
  speechMs,
  wordByWord: false,
  tellsGatekeepers: false,
  pressMs: () => 0,
  answersMs: 0,
  machineKnownMs: speechMs,
  machineRecordsMs: speechMs,
  onKeysSent: (carrier, listener) => {
    const sendDigits = carrier.sendDigits.bind(carrier);
    carrier.sendDigits = (callId, digits) => {
      listener(digits);
      return sendDigits(callId, digits);
    };
  },
  time: () => {
    const clock = new VirtualClock();
    return { clock, until: (promise) => clock.until(promise) };
  },
  carrier: ({ clock }, persona) => new SandboxCallCarrier({ clock, journal: new MemoryJournal(), persona }),
  sessions: ({ clock }) => new TextSessionFactory({ clock, limits: { maxToolSteps: 4, maxToolsPerStep: 4 } }),
};
