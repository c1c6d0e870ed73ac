/** Parameters of a request that a server may refuse, and that an answer does not need. */
export const OPTIONAL_PARAMETERS = ['temperature', 'stream_options', 'reasoning_effort'] as const;
export type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number];

/** What a server takes for one of its models. It begins with what most take, and is changed by refusals. */
export interface RequestForm {
  readonly leftOut: readonly OptionalParameter[];
  /** OpenAI refuses `max_tokens` for its newer models; most compatible servers know nothing else. */
  readonly outputLimit: OutputLimitField | 'none';
  /** `auto`: the model is asked in words to call a tool where it must. */
  readonly requiredToolChoice: 'required' | 'auto' | 'left-out';
  /** `words`: tools are declared in the system message, and called in the text. */
  readonly tools: 'declared' | 'words';
  /** The content of a message that is calls alone. */
  readonly emptyContent: 'null' | 'empty' | 'left-out';
  /** The parameters of a tool that has none. */
  readonly emptyParameters: 'object' | 'left-out';
  /** Keywords of JSON Schema that parameters of tools go without. */
  readonly schemaKeywordsLeftOut: readonly string[];
  /** Fields of the provider that its messages go without. */
  readonly fieldsLeftOut: readonly string[];
  /** Fields that calls of other models, or of earlier turns, are given in place of what is not known. */
  readonly filledFields: 'none' | 'reasoning' | 'signature';
  /** A system message within a conversation is sent as one of the user. */
  readonly notes: 'system' | 'user';
  /** `joined`: no two messages of one side follow one another. `alternate`: and the user begins. */
  readonly turns: 'any' | 'joined' | 'alternate';
  /** `user`: instructions are the beginning of the first message of the user. */
  readonly instructions: 'system' | 'user';
}

export type OutputLimitField = 'max_tokens' | 'max_completion_tokens';

export function firstForm(outputLimit: OutputLimitField): RequestForm {
  return {
    leftOut: [],
    outputLimit,
    requiredToolChoice: 'required',
    tools: 'declared',
    emptyContent: 'null',
    emptyParameters: 'object',
    schemaKeywordsLeftOut: [],
    fieldsLeftOut: [],
    filledFields: 'none',
    notes: 'system',
    turns: 'any',
    instructions: 'system',
  };
}
