import type { SpeechConfig } from '../../config/config.js';
import type { SpeechProvider } from './speech-provider.js';

/** Every provider but the sandbox, in the order in which they stand in for one another. */
export function vendorsOf(_config: SpeechConfig): SpeechProvider[] {
  return [];
}
