// Run by `npm run test:local-speech`: node --import tsx test/long/local-speech.ts <folder of models> <python>
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configFrom } from '../../src/config/config-from.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { SpeechProviderRegistry } from '../../src/providers/speech/speech-provider-registry.js';
import { waveFile } from '../support/voice/wave-file.js';

const TEXT = 'Good morning. I would like to book an appointment for tomorrow at three in the afternoon.';
const RATE_HZ = 24_000;

const [models = '', python = 'python3'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'local-speech-'));
const { speech, security } = configFrom(parseEnvironment({ SPEECH_MODELS_DIR: models }));
const registry = new SpeechProviderRegistry(speech, security);

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .replaceAll('3', 'three')
      .match(/[a-z]+/g) ?? []
  );
}

/** The longest the event loop stood still. */
function watchLoop(): () => number {
  let [last, longest] = [performance.now(), 0];
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function speak() {
  const voice = await registry.installation.synthesizer({
    provider: 'local',
    voiceCode: '',
    language: 'en-US',
  });
  await voice.synthesize('Ready.').collect();
  const longestPause = watchLoop();
  const began = performance.now();
  const { data } = await voice.synthesize(TEXT).collect();
  const ms = performance.now() - began;
  const pausedMs = longestPause();
  const { provider, model } = voice;
  await voice.close();
  return { data, ms, pausedMs, provider, model };
}

try {
  const { data, ms, pausedMs, provider, model } = await speak();
  const seconds = data.length / RATE_HZ;
  const file = join(folder, 'said.wav');
  writeFileSync(file, waveFile(data, RATE_HZ));
  const heard = execFileSync(python, [join(import.meta.dirname, 'local-speech', 'transcribe.py'), file], {
    encoding: 'utf8',
  }).trim();
  const expected = wordsOf(TEXT);
  const understood = expected.filter((word) => wordsOf(heard).includes(word)).length / expected.length;
  const report = {
    provider,
    model,
    seconds,
    ms: Math.round(ms),
    pausedMs: Math.round(pausedMs),
    heard,
    understood,
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  if (provider !== 'local' || understood < 0.85 || pausedMs > 250)
    throw new Error('Not understood, or the loop was blocked');
  process.stdout.write('ok\n');
} finally {
  await registry.onApplicationShutdown();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
