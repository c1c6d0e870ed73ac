import type { llm, stt, tts } from '@livekit/agents';
import { beta, realtime } from '@livekit/agents-plugin-google';
import type { RealtimeOptions, RecognizerOptions, SynthesizerOptions } from '../speech-options.js';
import { GOOGLE_VOICES } from './google-voices.js';
import { onlyLanguage } from '../vendor-provider.js';

interface Server {
  readonly apiKey: string;
  readonly baseUrl: string | undefined;
}

const VOICE_MODEL = 'gemini-2.5-flash-preview-tts';

export function googleRecognizer(server: Server, { model, languages }: RecognizerOptions): stt.STT {
  return new beta.GeminiSTT({
    apiKey: server.apiKey,
    httpOptions: httpOptionsOf(server),
    language: onlyLanguage(languages) ?? null,
    languageCodes: [...languages],
    ...(model === undefined ? {} : { model }),
  });
}

export function googleSynthesizer(server: Server, options: SynthesizerOptions): tts.TTS {
  return new beta.TTS({
    apiKey: server.apiKey,
    // By a variable of the environment it would be asked in another way, without the key.
    vertexai: false,
    model: options.model ?? VOICE_MODEL,
    voiceName: options.voiceCode || GOOGLE_VOICES[options.gender ?? 'female'],
    ...(options.emotion ? { instructions: 'Speak with the emotion that fits the words.' } : {}),
  });
}

export function googleRealtime(server: Server, options: RealtimeOptions): llm.RealtimeModel {
  return new realtime.RealtimeModel({
    apiKey: server.apiKey,
    httpOptions: httpOptionsOf(server),
    model: options.model,
    voice: options.voice,
    language: onlyLanguage(options.languages),
    temperature: options.temperature,
    modalities: modalitiesOf(options),
  });
}

type Modalities = NonNullable<ConstructorParameters<typeof realtime.RealtimeModel>[0]>['modalities'];

/** The names of an enumeration in a package that only the plugin depends on. */
function modalitiesOf({ modality }: RealtimeOptions): Modalities {
  return [modality === 'audio' ? 'AUDIO' : 'TEXT'] as unknown as Modalities;
}

function httpOptionsOf({ baseUrl }: Server): { baseUrl: string } | undefined {
  return baseUrl === undefined ? undefined : { baseUrl };
}
