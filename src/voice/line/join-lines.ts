import type { CallAudio } from '@prosa/audio';
import type { LineClock } from '../../providers/telephony/line-clock.js';
import { LineBridge } from './line-bridge.js';
import { LineMixer } from './line-mixer.js';

/** Lets a caller and a far end hear each other, at the rate of each line, until the signal fires. */
export async function joinLines(
  caller: CallAudio,
  farEnd: CallAudio,
  signal: AbortSignal,
  clock?: LineClock,
): Promise<void> {
  if (signal.aborted) return;
  const bridge = new LineBridge(caller.sampleRateHz, farEnd, clock);
  const toCaller = new LineMixer(caller, { speech: bridge.farEnd, ...(clock ? { clock } : {}) });
  bridge.start();
  toCaller.start();
  void listen(caller, bridge, signal);
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  toCaller.stop();
  bridge.stop();
}

/** Ends with the caller's line. */
async function listen({ heard }: CallAudio, bridge: LineBridge, signal: AbortSignal): Promise<void> {
  for await (const frame of heard) {
    if (signal.aborted) return;
    bridge.customerSays(frame);
  }
}
