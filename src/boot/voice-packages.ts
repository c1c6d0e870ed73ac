import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The optional packages of package.json that the voice role needs for every call. */
export const VOICE_PACKAGES = [
  '@echogarden/rnnoise-wasm',
  '@evan/opus',
  '@livekit/agents',
  '@livekit/agents-plugin-deepgram',
  '@livekit/agents-plugin-elevenlabs',
  '@livekit/agents-plugin-google',
  '@livekit/agents-plugin-openai',
  '@livekit/agents-plugin-xai',
  '@livekit/av',
  '@livekit/local-inference',
  '@livekit/rtc-node',
] as const;

/** Packages of the voice role are not installed. Its message is the whole sentence for the operator. */
export class VoicePackagesError extends Error {
  override readonly name = 'VoicePackagesError';
}

/**
 * Checks the packages of the voice role before anything is started, because its first call would find them missing.
 *
 * @param near `import.meta.url` of a module in the installation
 * @throws VoicePackagesError naming those that are not installed
 */
export function requireVoicePackages(near: string): void {
  const require = createRequire(near);
  const missing = VOICE_PACKAGES.filter((name) => !isInstalled(require, name));
  if (missing.length === 0) return;
  throw new VoicePackagesError(
    `The voice role needs packages that are not installed: ${missing.join(', ')}. ` +
      'Install the optional packages too (npm ci), use the image voice, or leave the role out (PROSA_ROLES=api,worker).',
  );
}

/** Looks for the folder, because some packages have no entry that `require` resolves. */
function isInstalled(require: NodeJS.Require, name: string): boolean {
  const folders = require.resolve.paths(name) ?? [];
  return folders.some((folder) => existsSync(join(folder, name, 'package.json')));
}
