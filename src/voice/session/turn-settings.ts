import { inference, type voice } from '@livekit/agents';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import { eotExecutor } from './eot-executor.js';

/** How long the engine waits at most for somebody who seems not to have finished. */
const MAX_ENDPOINTING_MS = 2_500;
/** After an interruption without a word, the assistant goes on by itself. */
const FALSE_INTERRUPTION_MS = 1_200;
/** The engine's end-of-turn model needs this much silence; less than 250 ms is a breath. */
const MIN_SILENCE_MS = 250;

type TurnSettings = Pick<VoiceSettings, 'mode' | 'interruptions' | 'endpointing' | 'realtime'>;

/**
 * The customer's settings of a call as options of a session. What is left out here the engine would choose by itself,
 * and not to our liking: it would ignore interruptions for three seconds, and take silent customers for absent.
 *
 * @param hasServerTurns the realtime model finds the ends of turns by itself
 */
export function turnOptions(
  { interruptions, endpointing }: TurnSettings,
  hasServerTurns: boolean,
): Pick<voice.AgentSessionOptions, 'turnHandling' | 'aecWarmupDuration' | 'userAwayTimeout' | 'vad'> {
  return {
    aecWarmupDuration: null,
    userAwayTimeout: null,
    vad: hasServerTurns ? null : voiceActivity(),
    turnHandling: {
      turnDetection: hasServerTurns ? 'realtime_llm' : turnDetection(endpointing.type),
      endpointing: {
        mode: 'fixed',
        minDelay: endpointing.minDelayMs,
        maxDelay: Math.max(endpointing.minDelayMs, MAX_ENDPOINTING_MS),
      },
      interruption: {
        // A realtime model that finds the turns itself cannot be told to talk on.
        enabled: interruptions.allowed || hasServerTurns,
        mode: 'vad',
        minDuration: interruptions.minDurationMs,
        minWords: interruptions.minWords ?? 0,
        falseInterruptionTimeout: FALSE_INTERRUPTION_MS,
        resumeFalseInterruption: true,
      },
      preemptiveGeneration: { enabled: true },
    },
  };
}

/** Finds speech in a call's sound, by a small model inside this process; each call has its own. */
function voiceActivity(): inference.VAD {
  return new inference.VAD({ minSilenceDuration: MIN_SILENCE_MS });
}

type TurnDetection = NonNullable<voice.AgentSessionOptions['turnHandling']>['turnDetection'];

function turnDetection(type: VoiceSettings['endpointing']['type']): TurnDetection {
  if (type === 'vad') return 'vad';
  return new inference.TurnDetector({ version: 'v1-mini', executor: eotExecutor() });
}
