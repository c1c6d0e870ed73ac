import type { CompiledAssistant, VariableContext } from '../compile-assistant.js';
import type { HandoffTarget } from '../tools/handoff-target.js';
import type { Variables } from '../variables.js';

/** More would be assistants that send a customer to and fro. Of one conversation or call. */
export const MAX_HANDOFFS = 10;

/** The assistant that has the customer. */
export interface Speaker {
  /** Compiled for the channel that the customer is in. */
  readonly assistant: CompiledAssistant;
  /** Its own, with those of the conversation or the call. */
  readonly variables: Variables;
  /** The same without the values of a visitor that tools may not use. */
  readonly toolVariables: Variables;
}

export function speakerOf(assistant: CompiledAssistant, context: VariableContext): Speaker {
  const variables = assistant.variablesOf(context);
  return { assistant, variables, toolVariables: assistant.toolVariablesOf(context, variables) };
}

/** What a conversation or a call knows of hand-overs. */
export interface HandoffSource<Found extends Speaker = Speaker> {
  /** How many there have been. */
  readonly count: number;
  /** Null when the assistant is gone, or its owner has switched it off. */
  find(assistantId: number): Promise<Found | null>;
  /**
   * Records a handoff before the next assistant says a word. Left out where it is stored with the answer.
   *
   * @param count of all hand-overs, with this one
   * @returns false when it cannot be noted: then it does not happen
   */
  record?(speaker: Found, count: number): Promise<boolean>;
}

/** Hand-overs of one conversation or call, within their bounds. */
export class Handoffs<Found extends Speaker = Speaker> {
  private taken: number;

  constructor(private readonly source: HandoffSource<Found>) {
    this.taken = source.count;
  }

  /** All there have been, since the beginning of the conversation or the call. */
  get count(): number {
    return this.taken;
  }

  /** @returns `refused`: a sentence for the model */
  async take({ assistantId, name }: HandoffTarget): Promise<Found | { readonly refused: string }> {
    if (this.taken >= MAX_HANDOFFS) {
      return { refused: 'The customer has been handed over too often. Go on with the customer yourself.' };
    }
    const found = await this.source.find(assistantId);
    const isTaken = found !== null && ((await this.source.record?.(found, this.taken + 1)) ?? true);
    if (!isTaken) return { refused: `${name} is not available. Go on with the customer yourself.` };
    this.taken++;
    return found;
  }
}
