/** The ears, the voice or the model of a call gave up. */
export class SpeechFailed extends Error {
  override readonly name = 'SpeechFailed';
}
