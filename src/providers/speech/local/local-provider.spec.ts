import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { findLocalModels } from './local-models.js';
import { LocalProcess } from './local-process.js';
import { LocalSpeechProvider } from './local-provider.js';

jest.setTimeout(60_000);

const folders: string[] = [];

function folderOf(...files: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'models-'));
  folders.push(folder);
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), 'no model');
  }
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const FABER = 'vits-piper-pt_BR-faber-medium';
const FILES_OF_A_VOICE = [`${FABER}/faber.onnx`, `${FABER}/tokens.txt`, `${FABER}/espeak-ng-data/phontab`];

describe('local speech models', () => {
  it('are known by the files in their folders', () => {
    const zipformer = 'sherpa-onnx-streaming-zipformer-en-2023-06-26';
    const parakeet = 'sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8';
    const folder = folderOf(
      ...FILES_OF_A_VOICE,
      ...['model.onnx', 'tokens.txt', 'voices.bin', 'espeak-ng-data/phontab'].map(
        (file) => `kokoro-multi/${file}`,
      ),
      ...['small-encoder.onnx', 'small-encoder.int8.onnx', 'small-decoder.onnx', 'small-tokens.txt'].map(
        (file) => `sherpa-onnx-whisper-small/${file}`,
      ),
      ...['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'].map((file) => `${zipformer}/${file}`),
      ...['encoder.int8.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'].map(
        (file) => `${parakeet}/${file}`,
      ),
      'notes/readme.txt',
      'loose.onnx',
    );
    const { voices, ears } = findLocalModels(folder);
    expect(voices).toMatchObject([
      { kind: 'kokoro', name: 'kokoro-multi', language: null },
      { kind: 'piper', name: FABER, language: 'pt-BR' },
    ]);
    expect(ears).toMatchObject([
      { kind: 'parakeet', name: parakeet },
      { kind: 'streaming-zipformer', name: zipformer, language: 'en' },
      { kind: 'whisper', name: 'sherpa-onnx-whisper-small', language: null, joiner: null },
    ]);
    expect(ears[2]!.encoder).toContain('small-encoder.int8.onnx');
  });

  it('are offered for what they can do alone', () => {
    const provider = new LocalSpeechProvider(folderOf(...FILES_OF_A_VOICE));
    expect(provider.obstacle).toBeNull();
    expect([...provider.skills]).toEqual(['synthesizer']);
  });

  it.each([
    ['no folder is named', () => undefined, 'SPEECH_MODELS_DIR is not set'],
    ['it is not there', () => join(tmpdir(), 'no-such-models'), 'cannot be read'],
    ['there is no model in it', () => folderOf('notes/readme.txt'), 'there is no speech model in'],
  ])('are not offered, with the reason, when %s', (_, folder, reason) => {
    expect(new LocalSpeechProvider(folder()).obstacle).toContain(reason);
  });

  it('that break end with an error, and not the process that asks', async () => {
    const process = new LocalProcess();
    const [voice] = findLocalModels(folderOf(...FILES_OF_A_VOICE)).voices;
    const task = {
      task: 'speak',
      voice: voice!,
      speaker: 0,
      speed: 1,
      language: 'pt-BR',
      text: 'Olá.',
    } as const;
    await expect(process.run(task)).rejects.toThrow(/local speech model/);
    // And again, with a process that is started anew if the model took it along.
    await expect(process.run(task)).rejects.toThrow(/local speech model/);
    process.close();
  });
});
