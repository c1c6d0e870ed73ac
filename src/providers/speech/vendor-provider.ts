import type { SpeechServer } from '../../config/config.js';
import type { SpeechSkill } from './speech-options.js';

/** What every provider behind a key has in common. */
export abstract class VendorProvider {
  abstract readonly code: string;
  abstract readonly name: string;
  abstract readonly skills: ReadonlySet<SpeechSkill>;
  protected abstract readonly keyName: string;

  constructor(protected readonly server: SpeechServer) {}

  get obstacle(): string | null {
    return this.server.apiKey ? null : `${this.keyName} is not set`;
  }

  /** Only asked for once there is no obstacle. */
  protected get apiKey(): string {
    return this.server.apiKey ?? '';
  }

  protected get baseUrl(): string | undefined {
    return this.server.baseUrl?.replace(/\/+$/, '');
  }
}

/** `pt` of `pt-BR`. */
export function baseLanguage(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? tag;
}

/** The language all is said in; undefined where several are possible and the provider is to find out which. */
export function onlyLanguage(languages: readonly string[]): string | undefined {
  return languages.length === 1 ? languages[0] : undefined;
}
