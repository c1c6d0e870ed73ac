import type { llm, stt, tts } from '@livekit/agents';
import { realtime, STT } from '@livekit/agents-plugin-openai';
import { OpenAI } from 'openai';
import type { RealtimeOptions, RecognizerOptions, SynthesizerOptions } from '../speech-options.js';
import { RETRIES } from '../fallback/hear.js';
import { baseLanguage, onlyLanguage } from '../vendor-provider.js';
import { type GuardedFetch, OPENAI_URL, type OpenAiServer } from './openai-server.js';
import { OpenAiSynthesizer } from './openai-synthesizer.js';
import { OPENAI_VOICES } from './openai-voices.js';
import './realtime-connection.js';

/** Servers without a key of their own are given one that says nothing. */
const NO_KEY = 'none';

const STREAMING_MODEL = 'gpt-4o-mini-transcribe';
/** What OpenAI-compatible servers most often call theirs. */
const WHOLE_MODEL = 'whisper-1';
const VOICE_MODEL = 'gpt-4o-mini-tts';
/** What is sent to a server that a customer has named. */
const SENT_HEADERS = new Set(['accept', 'authorization', 'content-type']);
/** Of the API, in a request of its own for each utterance or line. */
const REQUEST_TIMEOUT_MS = 15_000;

/**
 * OpenAI itself transcribes while the customer speaks. Other servers have the endpoint for whole utterances alone. So
 * does each server behind the guarded connector, which makes no WebSocket.
 */
export function openAiRecognizer(
  server: OpenAiServer,
  { model, languages, vad }: RecognizerOptions,
): stt.STT {
  const isOpenAi = server.baseUrl === undefined || new URL(server.baseUrl).hostname === 'api.openai.com';
  const language = onlyLanguage(languages);
  return new STT({
    apiKey: server.apiKey ?? NO_KEY,
    baseURL: server.baseUrl,
    client: clientOf(server),
    model: model ?? server.recognizerModel ?? (isOpenAi ? STREAMING_MODEL : WHOLE_MODEL),
    useRealtime: isOpenAi && !server.guardedFetch,
    vad,
    ...(language === undefined ? { detectLanguage: true } : { language: baseLanguage(language) }),
  });
}

export function openAiSynthesizer(server: OpenAiServer, options: SynthesizerOptions): tts.TTS {
  return new OpenAiSynthesizer(clientOf(server), {
    model: options.model ?? server.synthesizerModel ?? VOICE_MODEL,
    voice: options.voiceCode || OPENAI_VOICES[options.gender ?? 'female'],
    speed: options.speed,
    instructions: options.emotion ? 'Speak with the emotion that fits the words.' : undefined,
  });
}

export function openAiRealtime(server: OpenAiServer, options: RealtimeOptions): llm.RealtimeModel {
  const language = onlyLanguage(options.languages);
  return new realtime.RealtimeModel({
    apiKey: server.apiKey ?? NO_KEY,
    baseURL: server.baseUrl,
    model: options.model,
    voice: options.voice,
    speed: options.speed,
    connOptions: RETRIES,
    modalities: options.modality === 'audio' ? ['text', 'audio'] : ['text'],
    inputAudioTranscription: {
      model: server.recognizerModel ?? STREAMING_MODEL,
      ...(language === undefined ? {} : { language: baseLanguage(language) }),
    },
    turnDetection: {
      type: 'server_vad',
      threshold: options.turnThreshold,
      silence_duration_ms: options.turnSilenceMs,
      create_response: true,
      interrupt_response: true,
    },
  });
}

function clientOf({ apiKey, baseUrl, guardedFetch }: OpenAiServer): OpenAI {
  // What the SDK would otherwise look up in the environment is set here, as for chat.
  return new OpenAI({
    apiKey: apiKey ?? NO_KEY,
    baseURL: baseUrl ?? OPENAI_URL,
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    timeout: REQUEST_TIMEOUT_MS,
    ...(guardedFetch ? { fetch: bare(guardedFetch) } : {}),
  });
}

/** Without what the SDK adds to each request, such as headers that the environment names: those are the operator's. */
function bare(fetch: GuardedFetch): GuardedFetch {
  return (url, init) => {
    const headers = [...new Headers(init?.headers)].filter(([name]) => SENT_HEADERS.has(name));
    return fetch(url, { ...init, headers });
  };
}
