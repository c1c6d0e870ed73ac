/** A customer who says what is written, line by line. */
export interface ScriptedCustomer {
  readonly type: 'script';
  readonly lines: readonly string[];
}

/** A customer played by a model. */
export interface PlayedCustomer {
  readonly type: 'model';
  readonly persona: string;
  readonly goal: string;
  readonly first_message?: string;
}

export type Customer = ScriptedCustomer | PlayedCustomer;

export const CUSTOMER_TYPES = ['script', 'model'] as const satisfies readonly Customer['type'][];

/** What must be true of a run. Texts are searched in the assistant's words, ignoring case and accents. */
export type Check =
  | { readonly type: 'says'; readonly text: string }
  | { readonly type: 'never_says'; readonly text: string }
  | {
      readonly type: 'calls_tool';
      readonly name: string;
      /** Arguments that one of the calls has; it may have more. */
      readonly arguments?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'never_calls_tool'; readonly name: string }
  | { readonly type: 'ends' }
  | { readonly type: 'max_turns'; readonly turns: number }
  /** A model reads the conversation and says whether the criterion holds. */
  | { readonly type: 'judge'; readonly criterion: string }
  /** The evaluation of the conversation, as after a call, finds these values; texts as in what is said. */
  | { readonly type: 'extracts'; readonly values: Readonly<Record<string, ExpectedValue>> };

/** What a model is asked about. */
export type ModelCheck = Extract<Check, { type: 'judge' | 'extracts' }>;

export type ExpectedValue = string | number | boolean | null;

export const CHECK_TYPES = [
  'says',
  'never_says',
  'calls_tool',
  'never_calls_tool',
  'ends',
  'max_turns',
  'judge',
  'extracts',
] as const satisfies readonly Check['type'][];

/** `mock`: nothing leaves the platform, tools answer what the scenario says; `real`: they are called as in any conversation. */
export const TOOL_MODES = ['mock', 'real'] as const;
export type ToolMode = (typeof TOOL_MODES)[number];

/** What a simulation is, in the words of the API. */
export interface Scenario {
  readonly customer: Customer;
  readonly checks: readonly Check[];
  /** Messages of the customer. */
  readonly max_turns: number;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly tools: ToolMode;
  /** What a tool answers, by its name; one that is not named answers `{"ok": true}`. */
  readonly mock_results: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
