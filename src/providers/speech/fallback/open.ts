import { inference, type stt, type tts, type VAD } from '@livekit/agents';
import { ensureAgentsLogger } from '../agents-logger.js';
import { type Candidate, Candidates, type ProviderHealth } from './candidates.js';
import { FallbackRecognizer } from './fallback-recognizer.js';
import { FallbackSynthesizer, SYNTHESIZER_DEADLINES } from './fallback-synthesizer.js';

/** Pauses within a sentence are shorter. */
const UTTERANCE_SILENCE_MS = 400;

/** Where speech begins and ends, for all calls of the process: each call has a stream of its own. */
let sharedVad: VAD | null = null;

export function openRecognizer(
  list: readonly Candidate<stt.STT>[],
  health: ProviderHealth,
  vad?: VAD,
): stt.STT {
  ensureAgentsLogger();
  sharedVad ??= new inference.VAD({ minSilenceDuration: UTTERANCE_SILENCE_MS });
  const candidates = new Candidates('recognizer', list, health);
  candidates.prepare();
  return new FallbackRecognizer(candidates, vad ?? sharedVad);
}

/**
 * @param language of what is said, as a tag such as `pt-BR`
 * @param onHeard hears the code of the provider that speaks, with the first sound of each sentence
 */
export function openSynthesizer(
  list: readonly Candidate<tts.TTS>[],
  health: ProviderHealth,
  language: string,
  onHeard?: (provider: string) => void,
): tts.TTS {
  ensureAgentsLogger();
  const candidates = new Candidates('synthesizer', list, health);
  candidates.prepare();
  return new FallbackSynthesizer(candidates, SYNTHESIZER_DEADLINES, onHeard, language);
}
