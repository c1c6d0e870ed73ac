import type { VoiceLanguage } from '../../../runtime/call/settings/voice-settings.js';

/** Follows which of the assistant's languages the customer speaks. */
export class SpokenLanguages {
  private current: VoiceLanguage | undefined;

  /** @param onSwitch the customer has changed to another of the languages; those the assistant does not have are ignored */
  constructor(
    private readonly languages: readonly VoiceLanguage[],
    private readonly onSwitch: (language: VoiceLanguage) => void,
  ) {
    [this.current] = languages;
  }

  /** @param tag as recognisers say it: `pt`, `pt-BR`, `por` */
  heard(tag: string): void {
    const iso2 = iso2Of(tag);
    const language = this.languages.find((known) => known.iso2.toLowerCase() === iso2);
    if (!language || language === this.current) return;
    this.current = language;
    this.onSwitch(language);
  }
}

function iso2Of(tag: string): string {
  try {
    return new Intl.Locale(tag).language;
  } catch {
    return tag.toLowerCase();
  }
}
