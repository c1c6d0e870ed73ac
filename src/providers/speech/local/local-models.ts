import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Files of a voice, as sherpa-onnx packs them. */
export interface LocalVoice {
  readonly kind: 'piper' | 'kokoro';
  /** Its folder's name: what the catalogue calls it, with `:` and a number for one of its speakers. */
  readonly name: string;
  /** Language tag such as `pt-BR`; null for a model of several languages. */
  readonly language: string | null;
  readonly model: string;
  readonly tokens: string;
  readonly dataDir: string;
  /** Kokoro alone. */
  readonly voices: string | null;
}

export interface LocalEars {
  readonly kind: 'whisper' | 'parakeet' | 'zipformer' | 'streaming-zipformer';
  readonly name: string;
  /** Language tag such as `pt` or `pt-BR`; null for a model of several languages. */
  readonly language: string | null;
  readonly encoder: string;
  readonly decoder: string;
  /** Not with Whisper. */
  readonly joiner: string | null;
  readonly tokens: string;
}

export interface LocalModels {
  readonly voices: readonly LocalVoice[];
  readonly ears: readonly LocalEars[];
}

/**
 * What lies in a folder of models: each subfolder is one, known by the files in it. Others are left out.
 *
 * @throws the file system's error when the folder itself cannot be read
 */
export function findLocalModels(folder: string): LocalModels {
  const folders = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => join(folder, name))
    .toSorted();
  return {
    voices: folders.flatMap((path) => voiceIn(path) ?? []),
    ears: folders.flatMap((path) => earsIn(path) ?? []),
  };
}

function voiceIn(folder: string): LocalVoice | null {
  const files = readdirSync(folder);
  const models = files.filter((file) => file.endsWith('.onnx'));
  const [model] = models;
  if (models.length !== 1 || !model) return null;
  if (!files.includes('tokens.txt') || !files.includes('espeak-ng-data')) return null;
  const isKokoro = files.includes('voices.bin');
  return {
    kind: isKokoro ? 'kokoro' : 'piper',
    name: basename(folder),
    language: isKokoro ? null : languageIn(basename(folder)),
    model: join(folder, model),
    tokens: join(folder, 'tokens.txt'),
    dataDir: join(folder, 'espeak-ng-data'),
    voices: isKokoro ? join(folder, 'voices.bin') : null,
  };
}

function earsIn(folder: string): LocalEars | null {
  const files = readdirSync(folder);
  const part = (name: string) => partOf(folder, files, name);
  const tokens = files.find((file) => file.endsWith('tokens.txt'));
  const [encoder, decoder, joiner] = [part('encoder'), part('decoder'), part('joiner')];
  if (!tokens || !encoder || !decoder) return null;
  const name = basename(folder);
  return {
    kind: joiner ? transducerKind(name) : 'whisper',
    name,
    language: joiner ? languageIn(name) : /\.en(-|$)/.test(name) ? 'en' : null,
    encoder,
    decoder,
    joiner,
    tokens: join(folder, tokens),
  };
}

function transducerKind(name: string): LocalEars['kind'] {
  if (/nemo|parakeet/.test(name)) return 'parakeet';
  return name.includes('streaming') ? 'streaming-zipformer' : 'zipformer';
}

/** Of two sizes of the same part, the smaller one (8 bits): it is twice as fast, and hardly worse. */
function partOf(folder: string, files: readonly string[], name: string): string | null {
  const parts = files.filter((file) => file.includes(name) && file.endsWith('.onnx'));
  const part = parts.find((file) => file.includes('int8')) ?? parts[0];
  return part === undefined ? null : join(folder, part);
}

/** `pt-BR` of `vits-piper-pt_BR-faber-medium`, `en` of `sherpa-onnx-zipformer-en-2023-06-26`. */
function languageIn(name: string): string | null {
  const [, language, region] = /(?:^|-)([a-z]{2})(?:[_-]([A-Z]{2}))?(?=-|$)/.exec(name) ?? [];
  if (!language) return null;
  return region ? `${language}-${region}` : language;
}
