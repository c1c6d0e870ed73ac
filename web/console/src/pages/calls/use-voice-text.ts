import type { CallDetailsResponse } from '#client/types.gen.js';
import { useTexts } from '../../texts/texts.js';

type Voice = NonNullable<CallDetailsResponse['voice']>;

/** The voice that spoke. If it replaced the assistant's own voice, also which one and why. */
export function useVoiceText() {
  const t = useTexts('calls').details;
  return ({ name, stood_in_for: own, reason }: Voice) =>
    own === null || reason === null ? name : `${t.stoodIn(name, own.name)}: ${t.stoodInBecause[reason]}`;
}
