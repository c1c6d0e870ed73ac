/** A voice of the catalogue; one that it does not have, such as the sandbox's, has no id. */
export interface NamedVoice {
  readonly id: number | null;
  readonly name: string;
}

/**
 * - `no_adapter`: this version has none for the vendor of the voice
 * - `no_key`: neither the account nor the installation has a key for the vendor
 * - `failed`: the vendor did not speak, or stopped
 */
export const STAND_IN_REASONS = ['no_adapter', 'no_key', 'failed'] as const;
export type StandInReason = (typeof STAND_IN_REASONS)[number];

/** The voice that was heard on a call. */
export interface CallVoice extends NamedVoice {
  /** The voice of the assistant, where another one was heard. */
  readonly stood_in_for: NamedVoice | null;
  readonly reason: StandInReason | null;
}
