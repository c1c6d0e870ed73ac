import { APIConnectionError, type stt } from '@livekit/agents';

/** People do not say so much at once: the recognizer has invented the rest. */
const MAX_CHARACTERS = 8_000;

/**
 * The event with words that can be used; what a provider sends is not always what its library says it is.
 *
 * @throws APIConnectionError when it holds something else than words
 */
export function withWords(event: stt.SpeechEvent): stt.SpeechEvent {
  const [first, ...others] = event.alternatives ?? [];
  if (!first) return event;
  const text: unknown = first.text ?? '';
  if (typeof text !== 'string')
    throw new APIConnectionError({ message: 'The provider answered with something else than words' });
  if (text.length <= MAX_CHARACTERS) return event;
  return { ...event, alternatives: [{ ...first, text: text.slice(0, MAX_CHARACTERS) }, ...others] };
}
