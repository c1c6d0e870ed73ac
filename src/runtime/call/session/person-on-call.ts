/** A person of the account who speaks to the customer. */
export interface PersonOnCall {
  /** Null for the owner of the account and for API keys. */
  readonly memberName: string | null;
}

/** What the customer hears of a person. */
export interface PersonVoice {
  /** @param samples PCM16 at 24 kHz, 10 to 100 ms */
  push(samples: Int16Array): void;
}
