import { setImmediate } from 'node:timers/promises';
import type { ChatChunk, ChatModel, ChatRequest, ChatStreamOptions } from '../chat-model.js';
import { ModelError } from '../model-error.js';
import { decide, type DecidedCall } from './decision.js';

/**
 * The model of the embedded default: no neural network, no server, the same answer every time.
 *
 * It calls a tool that the message asks for by name or by its description. It answers from the results, from the
 * instructions and from retrieved passages word for word, and says so when it finds nothing. It counts no tokens and
 * has no use for `model`, `temperature` and `maxOutputTokens`. It waits for no server, so no time limit can strike.
 */
export class SandboxChatModel implements ChatModel {
  readonly provider = 'sandbox';
  readonly capabilities = { streaming: true, parallelToolCalls: true };

  async *stream(request: ChatRequest, { signal }: ChatStreamOptions = {}): AsyncGenerator<ChatChunk> {
    throwIfAborted(signal);
    const decision = decide(request);
    const chunks = decision.kind === 'say' ? textChunks(decision.text) : callChunks(decision.calls, request);
    for (const chunk of chunks) {
      yield chunk;
      // Lets an abort and other requests come through between two words.
      await setImmediate();
      throwIfAborted(signal);
    }
    const reason = decision.kind === 'say' ? 'stop' : 'tool-calls';
    yield { type: 'finish', reason, usage: null };
  }
}

function textChunks(text: string): ChatChunk[] {
  return (text.match(/\S+\s*/gu) ?? []).map((word) => ({ type: 'text', text: word }));
}

/** The ids count on from the messages, so that none repeats within a conversation. */
function callChunks(calls: readonly DecidedCall[], { messages }: ChatRequest): ChatChunk[] {
  return calls.map((call, index) => ({
    type: 'tool-call',
    toolCall: {
      id: `sandbox_${messages.length}_${index}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    },
  }));
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new ModelError('aborted', { cause: signal.reason });
}
