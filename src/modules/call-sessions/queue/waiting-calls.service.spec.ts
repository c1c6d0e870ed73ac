import { beforeEach, describe, expect, it } from '@jest/globals';
import type { BranchAction } from '../../../common/phone/call-routing.js';
import { Logger } from '../../../common/observability/logger.js';
import type { QueueTerms } from '../../active-calls/queue/queue-terms.js';
import { ListenerGate } from '../../active-calls/monitors/listener-gate.js';
import type { MonitoredCall } from '../monitored-call.js';
import { NoAssistantError } from './queue-exits.service.js';
import { WaitingCallsService } from './waiting-calls.service.js';

const OTHER_ASSISTANT = { action: 'assistant', assistant_id: 2 } as const;

describe('a caller whose assistant does not answer any more', () => {
  let gate: ListenerGate;
  /** The call as the fallback gets it. */
  let refused: MonitoredCall | null;
  /** Assistants that notify customers of listeners. */
  let announcing: number[];

  beforeEach(() => {
    gate = new ListenerGate();
    refused = null;
    announcing = [];
  });

  async function wait(fallback: BranchAction): Promise<boolean> {
    const call = { id: 1, userId: 7, routing: null, answeredAt: null };
    const lease = {
      feed: { gate },
      line: { capabilities: { speed: 1 } },
      signal: new AbortController().signal,
      isHeld: true,
    };
    const dependencies = {
      places: {
        follow: (_callId: number, place: { tryToServe(): Promise<boolean> }) => {
          void place.tryToServe();
          return () => undefined;
        },
      },
      exits: { serve: () => Promise.reject(new NoAssistantError()) },
      fallbacks: {
        take: async (waiting: MonitoredCall, { action }: BranchAction) => {
          refused = waiting;
          return action === 'assistant';
        },
      },
      voices: { open: () => Promise.reject(new Error('no voice')), watchEnd: async () => undefined },
      assistants: {
        find: async ({ assistantId }: { assistantId: number }) => ({
          voice: null,
          settings: { monitoringAnnouncement: announcing.includes(assistantId) ? {} : null },
        }),
      },
      runner: { takesOwnLines: true },
      metrics: { waited: () => undefined },
    };
    const { places, exits, fallbacks, voices, assistants, runner, metrics } = dependencies as never as Record<
      string,
      never
    >;
    const service = new WaitingCallsService(
      places!,
      exits!,
      fallbacks!,
      voices!,
      assistants!,
      runner!,
      metrics!,
      Logger.create('fatal'),
    );
    const terms: QueueTerms = { assistantId: 1, maxSeconds: 900, message: null, language: 'pt-BR', fallback };
    return service.wait({ call, lease, carrierCallId: 'c' } as never, terms, null);
  }

  /** Whether people who listen hear the call by now. */
  async function isHeard(): Promise<boolean> {
    let isOpen = false;
    void gate.pass(() => true).then((passed) => (isOpen = passed));
    await new Promise((resolve) => setImmediate(resolve));
    return isOpen;
  }

  it.each([[[1]], [[2]], [[1, 2]]])(
    'is not heard before the other assistant that answers has begun: %p announce',
    async (ids) => {
      announcing = ids;
      expect(await wait(OTHER_ASSISTANT)).toBe(true);
      expect(await isHeard()).toBe(false);
    },
  );

  it('is heard where no assistant answers', async () => {
    announcing = [1];
    expect(await wait({ action: 'message', text: 'Até logo.' })).toBe(false);
    expect(await isHeard()).toBe(true);
  });

  it('leaves with the time of the answer, from which the limits of the call count', async () => {
    const beforeMs = Date.now();
    await wait({ action: 'forward', phone_number: '+551130001100' });
    expect(refused?.call.answeredAt?.getTime()).toBeGreaterThanOrEqual(beforeMs);
  });
});
