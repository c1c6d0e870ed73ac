import { type llm, type metrics, voice } from '@livekit/agents';
import { isLoading } from '../../../providers/speech/fallback/fallback-recognizer.js';
import type { VoiceLanguage } from '../../../runtime/call/settings/voice-settings.js';
import type { CustomerHearing } from '../../hearing/customer-hearing.js';
import { streamingVoice } from '../../engine/streaming-voice.js';
import { turnOptions } from '../../engine/turn-settings.js';
import { SpeechFailed } from '../../agent/speech-failed.error.js';
import { SpokenLanguages } from './spoken-languages.js';
import type { ActiveAgentParts, Speaking, SpeechServices } from '../../agent/speech-services.js';

/** After this many times in a row of speech without words, the recognizer counts as broken. */
const MAX_UNHEARD = 3;
const TRANSCRIPTION_TIMEOUT_MS = 4_000;
/**
 * The engine gives up on a voice that is silent for so long, and takes what it was to say for said. Voices and models have
 * shorter limits of their own, which end in an error.
 */
const SILENT_VOICE_MS = 60_000;
const CLOSED_BY_ERROR: string = voice.CloseReason.ERROR;

/** The events of the engine's session. */
export interface EngineSessionListener {
  /** The assistant is going to say something. */
  onSpeech(speech: voice.SpeechHandle): void;
  onAssistant(state: voice.AgentState): void;
  onCustomer(state: voice.UserState): void;
  /** Words of the customer, also those that are still being spoken. */
  onWords(words: string, areFinal: boolean): void;
  /** What of the customer's sound and words is a turn. */
  readonly hearing: () => CustomerHearing;
  /** Whether the customer is to be understood now. */
  readonly expectsWords: () => boolean;
  /** The customer was heard, and not understood. */
  onNotUnderstood(): void;
  onMessage(message: llm.ChatMessage): void;
  onMetrics(measure: metrics.AgentMetrics): void;
  /** An error that does not end the call. */
  onError(error: unknown): void;
  /** The call cannot continue. */
  onFailure(error: unknown): void;
  onClosed(): void;
}

/** The events of the engine's session, and of its realtime model where it has one. */
export interface RealtimeSessionListener extends EngineSessionListener {
  /** The realtime model says that it could not do something; it may have been its answer. */
  onRealtimeError(error: unknown): void;
  /** The realtime model is gone, and the session ends. */
  onRealtimeLost(error: unknown): void;
}

/**
 * A session of the engine with the ears, the voice and the model of one call. It is not started.
 *
 * @param model asked where the assistant has no realtime model
 */
export function openEngineSession(
  speaking: Speaking,
  { limits }: Pick<ActiveAgentParts, 'limits'>,
  model: llm.LLM,
  listener: RealtimeSessionListener,
): voice.AgentSession {
  const { voice: settings, speech } = speaking;
  const { realtime, stt, tts } = speech;
  const session = new voice.AgentSession({
    llm: realtime ?? model,
    ...(stt ? { stt } : {}),
    ...(tts ? { tts: streamingVoice(tts, settings.languages[0]?.locale ?? '') } : {}),
    ...turnOptions(settings, realtime?.capabilities.turnDetection ?? false, () =>
      listener.hearing().detector(),
    ),
    maxToolSteps: limits.maxToolSteps,
    // The engine's own cleaning leaves unhandled rejections behind when it is cut off; CallAgent does it instead.
    ttsTextTransforms: null,
    ttsReadIdleTimeout: SILENT_VOICE_MS,
    forwardAudioIdleTimeout: SILENT_VOICE_MS,
    ...(stt && !realtime ? { transcriptionTimeout: TRANSCRIPTION_TIMEOUT_MS } : {}),
  });
  listenToHearing(session, speaking, listener);
  listenToSpeaking(session, listener);
  listenToFaults(session, listener);
  return session;
}

function listenToHearing(
  session: voice.AgentSession,
  speaking: Speaking,
  listener: EngineSessionListener,
): void {
  const { AgentSessionEventTypes: on } = voice;
  let unheard = 0;
  const languagesOf = ({ voice: { languages: known }, speech }: Speaking) =>
    new SpokenLanguages(known, (language) => {
      speakIn(session, speech, language).catch((error: unknown) => listener.onError(error));
    });
  let spokenBy = speaking.speech;
  let languages = languagesOf(speaking);
  session.on(on.UserStateChanged, ({ newState }) => listener.onCustomer(newState));
  session.on(on.UserInputTranscribed, ({ isFinal, language, transcript }) => {
    unheard = 0;
    listener.onWords(transcript, isFinal);
    if (spokenBy !== speaking.speech) [spokenBy, languages] = [speaking.speech, languagesOf(speaking)];
    if (isFinal && language) languages.heard(language);
  });
  session.on(on.UserTranscriptionTimeout, ({ vadSpeechStartedAt }) => {
    if (listener.hearing().missesNothingSince(vadSpeechStartedAt)) return;
    // Words that are said while the recognizer is loaded are understood afterwards; if it never is, that is an error of its own.
    if (!listener.expectsWords() || isLoading(speaking.speech.stt)) return;
    if (++unheard < MAX_UNHEARD) listener.onNotUnderstood();
    else listener.onFailure(new SpeechFailed('No words come of what is heard.'));
  });
}

function listenToSpeaking(session: voice.AgentSession, listener: EngineSessionListener): void {
  const { AgentSessionEventTypes: on } = voice;
  session.on(on.SpeechCreated, ({ speechHandle }) => listener.onSpeech(speechHandle));
  session.on(on.AgentStateChanged, ({ newState }) => listener.onAssistant(newState));
  session.on(on.ConversationItemAdded, ({ item }) => {
    if (item.type === 'message') listener.onMessage(item);
  });
  session.on(on.MetricsCollected, ({ metrics: measure }) => listener.onMetrics(measure));
}

function listenToFaults(session: voice.AgentSession, listener: RealtimeSessionListener): void {
  const { AgentSessionEventTypes: on } = voice;
  session.on(on.Error, ({ error }) => {
    const cause = 'error' in error ? error.error : error;
    if (error.type === 'realtime_model_error') {
      if (error.recoverable) listener.onRealtimeError(cause);
      else listener.onRealtimeLost(new SpeechFailed('The realtime model is gone.', { cause }));
    } else if (error.type === 'llm_error' || error.recoverable) listener.onError(cause);
    else listener.onFailure(new SpeechFailed(`A ${error.type} that cannot be recovered from.`, { cause }));
  });
  session.on(on.Close, ({ reason, error }) => {
    listener.onClosed();
    if (reason === CLOSED_BY_ERROR)
      listener.onFailure(new SpeechFailed('The session ended.', { cause: error }));
  });
}

async function speakIn(
  session: voice.AgentSession,
  speech: SpeechServices,
  language: VoiceLanguage,
): Promise<void> {
  const tts = await speech.voiceFor(language);
  if (tts) await session.currentAgent.updateOptions({ tts: streamingVoice(tts, language.locale) });
}
