import { PASSAGE } from '../../providers/llm/platform-rules.js';
import type { Knowledge, Passage } from '../assistant-snapshot.js';
import { checkArguments, parametersSchema } from './tool-arguments.js';
import { boundedText, objectOutcome, refusedArguments, type RuntimeTool } from './tool.js';

export const KNOWLEDGE_TOOL_NAME = 'search_knowledge_base';

const PARAMETERS = [
  {
    name: 'query',
    type: 'string',
    description: 'What to look for, as a full question or key terms',
    required: true,
  },
] as const;

/** Room for a dozen passages; what follows would crowd out the conversation. */
const MAX_PROMPT_BYTES = 32 * 1024;

/** Lets the model consult the knowledge base when it needs to. */
export function knowledgeTool(knowledge: Knowledge): RuntimeTool {
  return {
    definition: {
      name: KNOWLEDGE_TOOL_NAME,
      description:
        "Searches the company's documents. Use it whenever the answer may stand in them, and name the source.",
      parameters: parametersSchema(PARAMETERS),
    },
    async run(given, { signal }) {
      const checked = checkArguments(PARAMETERS, given);
      if ('problem' in checked) return refusedArguments(checked.problem);
      const passages = await knowledge.search(String(checked.args.query), signal);
      return objectOutcome({
        passages: passages.map(({ text, source, url }) => ({ text, source, ...(url ? { url } : {}) })),
      });
    },
  };
}

/**
 * What the documents say about a message, as a part of the instructions, for assistants whose mode is `prompt`. Empty also
 * when they cannot be searched: an answer without them is better than none.
 *
 * @param message null when there is none to answer
 * @param onError hears why they could not be searched
 */
export async function passagesFor(
  knowledge: Knowledge | null,
  message: string | null,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<string> {
  if (knowledge?.mode !== 'prompt' || message === null) return '';
  try {
    return passagesPrompt(await knowledge.search(message, signal));
  } catch (error) {
    onError(error);
    return '';
  }
}

/** Passages as a part of the instructions, marked as data: what a document says cannot end the mark. */
export function passagesPrompt(passages: readonly Passage[]): string {
  if (passages.length === 0) return '';
  const blocks = passages.map(
    ({ text, source }) =>
      `<${PASSAGE} source=${JSON.stringify(source)}>\n${escapeMarks(text)}\n</${PASSAGE}>`,
  );
  const text = boundedText(blocks.join('\n'), MAX_PROMPT_BYTES);
  return `\n\nPassages from the company's documents that may answer the last message:\n${text}`;
}

function escapeMarks(text: string): string {
  return text.replace(/<(?=\/?passage\b)/gi, '&lt;');
}
