/** Another assistant of the account, as one knows it that may hand over to it. */
export interface HandoffTarget {
  readonly assistantId: number;
  /** What the model calls it. */
  readonly name: string;
  /** When to hand over to it. */
  readonly description: string;
  /** Said to the customer at the hand-over; empty: nothing. */
  readonly message: string;
  /** It begins with its greeting. */
  readonly greets?: boolean;
}

/**
 * Hands the customer over, at the end of the tool calls that run.
 *
 * @returns `refused`: a sentence for the model, which keeps the customer
 */
export type HandOver = (target: HandoffTarget) => Promise<HandoffTaken | { readonly refused: string }>;

/** The assistant that has the customer now. */
export interface HandoffTaken {
  readonly id: number;
  readonly name: string;
  /** With the values of its placeholders. */
  readonly greeting: string;
}
