import type { Language } from './language.js';
import type { ToolParameter } from './tool-parameter.js';
import type { Taken } from './utterance.js';

export type ArgumentValue = string | number | boolean;

/** What a filler may look at besides its own parameter. */
export interface FillingContext {
  readonly message: string;
  readonly language: Language;
  /** Folded words by which the message may have asked for the tool. */
  readonly toolWords: readonly string[];
  readonly parameters: readonly ToolParameter[];
}

/** Takes a parameter's value out of what is left of a message, or finds none. */
export type Filler = (
  parameter: ToolParameter,
  rest: string,
  context: FillingContext,
) => Taken<ArgumentValue> | null;
