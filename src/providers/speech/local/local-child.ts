// The process that runs speech models. A model that breaks takes this process with it, not the calls.
import sherpa from 'sherpa-onnx-node';
import type { LocalEars, LocalVoice } from './local-models.js';
import type { LocalReply, LocalRequest } from './local-protocol.js';

const THREADS = 2;
/** So that the last word is followed by something. */
const TRAILING_SILENCE_SECONDS = 0.5;

type Speak = Extract<LocalRequest, { task: 'speak' }>;
type Hear = Extract<LocalRequest, { task: 'hear' }>;

/** Each model is loaded once, at its first use. */
const loaded = new Map<string, Promise<unknown>>();

function once<T>(key: string, load: () => Promise<T>): Promise<T> {
  const existing = loaded.get(key);
  if (existing) return existing as Promise<T>;
  const loading = load();
  loading.catch(() => loaded.delete(key));
  loaded.set(key, loading);
  return loading;
}

function voiceConfig({ kind, model, tokens, dataDir, voices }: LocalVoice, language: string): object {
  const files = { model, tokens, dataDir };
  const models =
    kind === 'piper' ? { vits: files } : { kokoro: { ...files, voices, lang: language.toLowerCase() } };
  return { model: { ...models, numThreads: THREADS, provider: 'cpu' }, maxNumSentences: 1 };
}

async function speak({ voice, language, text, speaker, speed }: Speak) {
  const tts = await once(`${voice.name} ${language}`, () =>
    sherpa.OfflineTts.createAsync(voiceConfig(voice, language)),
  );
  // The sound is copied into memory of ours: it is sent to another process.
  const sound = await tts.generateAsync({ text, sid: speaker, speed, enableExternalBuffer: false });
  return { samples: sound.samples, sampleRateHz: sound.sampleRate };
}

function earsConfig(ears: LocalEars, language: string | null): object {
  const { kind, encoder, decoder, joiner, tokens } = ears;
  const common = { tokens, numThreads: THREADS, provider: 'cpu' };
  const featConfig = { sampleRate: 16_000, featureDim: 80 };
  if (kind === 'whisper') {
    const whisper = { encoder, decoder, language: language ?? '', task: 'transcribe' };
    return { featConfig, modelConfig: { whisper, ...common } };
  }
  const transducer = { encoder, decoder, joiner };
  const modelType = kind === 'parakeet' ? { modelType: 'nemo_transducer' } : {};
  return { featConfig, modelConfig: { transducer, ...common, ...modelType } };
}

async function hear({ ears, language, samples, sampleRateHz }: Hear) {
  const key = `${ears.name} ${language}`;
  const config = earsConfig(ears, language);
  const padded = new Float32Array(samples.length + sampleRateHz * TRAILING_SILENCE_SECONDS);
  padded.set(samples);
  const sound = { samples: padded, sampleRate: sampleRateHz };
  if (ears.kind === 'streaming-zipformer') {
    const recognizer = await once(key, async () => new sherpa.OnlineRecognizer(config));
    const stream = recognizer.createStream();
    stream.acceptWaveform(sound);
    stream.inputFinished();
    while (recognizer.isReady(stream)) recognizer.decode(stream);
    return { text: recognizer.getResult(stream).text.trim(), language };
  }
  const recognizer = await once(key, () => sherpa.OfflineRecognizer.createAsync(config));
  const stream = recognizer.createStream();
  stream.acceptWaveform(sound);
  const { text, lang } = await recognizer.decodeAsync(stream);
  return { text: text.trim(), language: lang?.replaceAll(/[<|>]/g, '') || language };
}

async function answer(request: LocalRequest): Promise<LocalReply> {
  try {
    return { id: request.id, ...(request.task === 'speak' ? await speak(request) : await hear(request)) };
  } catch (error) {
    return { id: request.id, error: error instanceof Error ? error.message : String(error) };
  }
}

process.on('message', (request: LocalRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.on('disconnect', () => process.exit());
