import type { TransferCall } from '../call/call-line.js';
import type { TransferOutcome } from '../call/carrier-call.js';
import type { SandboxPersona } from './sandbox-persona.js';
import { SANDBOX_TIMES, speechMs } from './sandbox-times.js';

/** How a transfer ends, and after how long. People who let others finish take warm ones. */
export function transferOutcome(
  farEnd: SandboxPersona,
  { briefing, ringingTimeoutMs }: Pick<TransferCall, 'briefing' | 'ringingTimeoutMs'>,
): { readonly outcome: TransferOutcome; readonly afterMs: number } {
  const { untilBusyMs, untilFailedMs, farEndAnswersMs, farEndDecidesMs } = SANDBOX_TIMES;
  switch (farEnd.answers) {
    case 'busy':
      return { outcome: 'busy', afterMs: untilBusyMs };
    case 'failed':
      return { outcome: 'failed', afterMs: untilFailedMs };
    case 'no-answer':
      return { outcome: 'no-answer', afterMs: ringingTimeoutMs };
    case 'human':
    case 'machine':
      break;
  }
  if (farEndAnswersMs >= ringingTimeoutMs) return { outcome: 'no-answer', afterMs: ringingTimeoutMs };
  if (briefing === null) return { outcome: 'answered', afterMs: farEndAnswersMs };
  const takesIt = farEnd.answers === 'human' && !farEnd.replies.some(({ hangUp }) => hangUp === 'instead');
  return {
    outcome: takesIt ? 'answered' : 'declined',
    afterMs: farEndAnswersMs + speechMs(briefing) + farEndDecidesMs,
  };
}
