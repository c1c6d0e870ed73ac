import { describeCallCarrierConformance } from '#test/conformance/call-carrier.conformance.js';
import { tone } from '@prosa/testing';
import { SystemClock } from '#src/common/time/clock.js';
import { personaOf } from '../sandbox-persona.js';
import { SandboxAudioCarrier } from './sandbox-audio-carrier.js';

const carrier = new SandboxAudioCarrier({
  clock: new SystemClock(20),
  voice: { speak: async () => ({ samples: tone(440, 8_000, 500), sampleRateHz: 8_000 }) },
  // People with patience, because the machine that runs the tests may be slow.
  persona: (e164, dial) => ({ ...personaOf(e164, dial), nudge: null }),
});

describeCallCarrierConformance('The sandbox in sound', {
  carrier: () => carrier,
  numbers: {
    from: '+12125550100',
    human: '+5511987654300',
    busy: '+5511987654301',
    noAnswer: '+5511987654302',
    machine: '+5511987654303',
    failing: '+5511987654304',
    invalid: '+123',
  },
  callIn: async (from, to) => carrier.callIn(from, to),
});
