import { inference, type VAD, type voice } from '@livekit/agents';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import { eotExecutor } from './eot-executor.js';

/** How long the engine waits at most for a customer who seems not to have finished. */
const MAX_ENDPOINTING_MS = 2_500;
/** After an interruption without words, the assistant continues by itself. */
const FALSE_INTERRUPTION_MS = 1_200;
type TurnSettings = Pick<VoiceSettings, 'mode' | 'interruptions' | 'endpointing' | 'realtime'>;

/**
 * The customer's settings of a call as options of a session. What is left out here the engine would choose by itself,
 * and not to our liking: it would ignore interruptions for three seconds, and take silent customers for absent.
 *
 * @param hasServerTurns the realtime model finds the ends of turns by itself
 * @param detector finds speech in the customer's sound
 */
export function turnOptions(
  { mode, interruptions, endpointing }: TurnSettings,
  hasServerTurns: boolean,
  detector: () => VAD,
): Pick<voice.AgentSessionOptions, 'turnHandling' | 'aecWarmupDuration' | 'userAwayTimeout' | 'vad'> {
  return {
    aecWarmupDuration: null,
    userAwayTimeout: null,
    vad: hasServerTurns ? null : detector(),
    turnHandling: {
      turnDetection: hasServerTurns ? 'realtime_llm' : turnDetection(endpointing.type),
      endpointing: {
        mode: 'fixed',
        minDelay: endpointing.minDelayMs,
        maxDelay: Math.max(endpointing.minDelayMs, MAX_ENDPOINTING_MS),
      },
      interruption: {
        // A realtime model that finds the turns itself cannot be made to continue.
        enabled: interruptions.allowed || hasServerTurns,
        mode: 'vad',
        minDuration: interruptions.minDurationMs,
        minWords: interruptions.minWords ?? 0,
        // Speech over the assistant is recognized: CustomerHearing decides whether it interrupts.
        discardAudioIfUninterruptible: mode !== 'pipeline',
        falseInterruptionTimeout: FALSE_INTERRUPTION_MS,
        resumeFalseInterruption: true,
      },
      preemptiveGeneration: { enabled: true },
    },
  };
}

type TurnDetection = NonNullable<voice.AgentSessionOptions['turnHandling']>['turnDetection'];

function turnDetection(type: VoiceSettings['endpointing']['type']): TurnDetection {
  if (type === 'vad') return 'vad';
  return new inference.TurnDetector({ version: 'v1-mini', executor: eotExecutor() });
}
