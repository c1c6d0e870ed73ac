import type {
  ChatChunk,
  ChatModel,
  ChatRequest,
  ChatStreamOptions,
  ProviderFields,
  TokenUsage,
} from '../../src/providers/llm/chat-model.js';
import { ModelError } from '../../src/providers/llm/model-error.js';

export interface ScriptedCall {
  readonly name: string;
  /** An object is sent as JSON, text as it is. */
  readonly args?: object | string;
  readonly providerFields?: ProviderFields;
}

/** One answer of the model: words, then calls, then perhaps a failure. */
export interface ScriptedTurn {
  readonly text?: string | readonly string[];
  /** Said, and taken back, before its words. */
  readonly retracted?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly fails?: ModelError;
  /** After its words it says nothing more, until it is left. */
  readonly isSilentAfter?: boolean;
  /** What it counts; left out: nothing. */
  readonly usage?: TokenUsage;
}

/** A chat model that says what a test has written down, and remembers what it was asked. */
export class ScriptedChatModel implements ChatModel {
  readonly provider = 'sandbox';
  readonly capabilities = { streaming: true, parallelToolCalls: true };
  readonly requests: ChatRequest[] = [];
  /** Chunks that were read, to see whether a stream was left early. */
  chunksRead = 0;

  constructor(private readonly script: (request: ChatRequest, turn: number) => ScriptedTurn) {}

  static saying(...turns: readonly ScriptedTurn[]): ScriptedChatModel {
    return new ScriptedChatModel((_request, turn) => {
      const scripted = turns[turn];
      if (!scripted) throw new Error(`The script has no turn ${turn}.`);
      return scripted;
    });
  }

  async *stream(request: ChatRequest, { signal }: ChatStreamOptions = {}): AsyncGenerator<ChatChunk> {
    const turn = this.requests.length;
    // The history grows while the turn goes on; what counts is what was sent.
    this.requests.push({ ...request, messages: [...request.messages] });
    const {
      text = [],
      retracted,
      calls = [],
      fails,
      isSilentAfter,
      usage = null,
    } = this.script(request, turn);
    const chunks: ChatChunk[] = [
      ...(retracted === undefined ? [] : ([{ type: 'text', text: retracted }, { type: 'retract' }] as const)),
      ...[text].flat().map((delta): ChatChunk => ({ type: 'text', text: delta })),
      ...calls.map(({ name, args = {}, providerFields }, index): ChatChunk => {
        const json = typeof args === 'string' ? args : JSON.stringify(args);
        const toolCall = { id: `call-${turn}-${index}`, name, arguments: json };
        return { type: 'tool-call', toolCall: providerFields ? { ...toolCall, providerFields } : toolCall };
      }),
    ];
    for (const chunk of chunks) {
      await Promise.resolve();
      if (signal?.aborted) throw new ModelError('aborted');
      this.chunksRead++;
      yield chunk;
    }
    if (isSilentAfter) {
      await new Promise((resolve) => signal?.addEventListener('abort', resolve, { once: true }));
      throw new ModelError('aborted');
    }
    if (fails) throw fails;
    yield { type: 'finish', reason: calls.length > 0 ? 'tool-calls' : 'stop', usage };
  }
}
