/** How the sandbox's people sound. */
export interface PersonaVoice {
  /**
   * Says a line, with nothing around it.
   *
   * @param language a tag such as `pt-BR`
   * @returns mono PCM16
   */
  speak(text: string, language: string): Promise<{ samples: Int16Array; sampleRateHz: number }>;
}
