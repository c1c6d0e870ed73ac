/** A port that is taken. Its message is the whole sentence for the operator. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
}
