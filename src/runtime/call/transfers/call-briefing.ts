import type { ChatModel, TokenUsage } from '../../../providers/llm/chat-model.js';
import { ModelError } from '../../../providers/llm/model-error.js';
import type { CompiledAssistant } from '../../compile-assistant.js';
import type { WarmTransfer } from '../../tools/call-controls.js';
import type { TranscriptTurn } from '../session/call-setup.js';

const DEFAULT_INSTRUCTIONS =
  'Tell who is calling, why they called and why a human is needed, in 2 to 3 sentences.';
const MAX_LENGTH = 1_000;

export interface BriefingInput {
  readonly assistant: CompiledAssistant;
  readonly chatModel: ChatModel;
  readonly turns: readonly TranscriptTurn[];
  readonly signal: AbortSignal;
  readonly onUsage: (model: string, usage: TokenUsage | null) => void;
  readonly onError: (error: unknown) => void;
}

/** What a supervisor hears before they take the call. Without a model that can sum up, it is the opening alone. */
export async function briefing(transfer: WarmTransfer, input: BriefingInput): Promise<string> {
  try {
    return `${transfer.briefingOpening} ${await summary(transfer, input)}`.trim();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    input.onError(error);
    return transfer.briefingOpening;
  }
}

/** What a person reads before they take the call; empty without a model that can sum up. */
export async function writtenBriefing(
  transfer: Pick<WarmTransfer, 'summaryInstructions'>,
  input: BriefingInput,
): Promise<string> {
  try {
    return (await summary(transfer, input)).trim();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    input.onError(error);
    return '';
  }
}

async function summary(
  { summaryInstructions }: Pick<WarmTransfer, 'summaryInstructions'>,
  input: BriefingInput,
): Promise<string> {
  const { assistant, chatModel, turns, signal, onUsage } = input;
  const { code, reasoningEffort } = assistant.model;
  const lines = turns.map(({ speaker, text }) => `${speaker}: ${text}`).join('\n');
  const stream = chatModel.stream(
    {
      model: code,
      ...(reasoningEffort ? { reasoningEffort } : {}),
      messages: [
        {
          role: 'system',
          content: `You brief a colleague who is about to take over a phone call. ${summaryInstructions || DEFAULT_INSTRUCTIONS}`,
        },
        { role: 'user', content: `The call so far:\n${lines}` },
      ],
      tools: [],
      temperature: assistant.temperature,
    },
    { signal },
  );
  let text = '';
  for await (const chunk of stream) {
    if (chunk.type === 'text') text += chunk.text;
    else if (chunk.type === 'retract') text = '';
    else if (chunk.type === 'finish') onUsage(code, chunk.usage);
  }
  return text.slice(0, MAX_LENGTH).toWellFormed();
}
