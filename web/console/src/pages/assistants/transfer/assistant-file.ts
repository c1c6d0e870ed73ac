import { CreateAssistantRequestSchema } from '#client/rules.gen.js';
import type { AssistantResponse, CreateAssistantRequest } from '#client/types.gen.js';

const FORMAT = 'prosa-assistant/1';
const MAX_BYTES = 2_000_000;
/** They name other things of the account, which another account does not have. */
const LEFT_OUT = new Set([
  'status',
  'phone_number_id',
  'knowledgebase_id',
  'tool_ids',
  'folder_id',
  'label_ids',
]);
/** Of these tools, one needs a key, which is never shown, and the others name other assistants. */
const LEFT_OUT_TOOLS = new Set(['calendar_integration', 'handoff', 'assistant_transfer']);

/** The settings of an assistant as a file, without secrets and without ids of the account. */
export function fileOf(assistant: AssistantResponse): Blob {
  const names = Object.keys(CreateAssistantRequestSchema.properties).filter((name) => !LEFT_OUT.has(name));
  const all = assistant as unknown as Readonly<Record<string, unknown>>;
  const settings = Object.fromEntries(names.filter((name) => name in all).map((name) => [name, all[name]]));
  const tools = (assistant.tools ?? []).filter(({ type }) => !LEFT_OUT_TOOLS.has(type));
  const content = { format: FORMAT, settings: { ...settings, tools } };
  return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' });
}

/** The settings of such a file, which the server checks; null where it is another file. */
export async function settingsIn(file: File): Promise<CreateAssistantRequest | null> {
  if (file.size > MAX_BYTES) return null;
  try {
    const content = JSON.parse(await file.text()) as { format?: unknown; settings?: unknown } | null;
    if (content?.format !== FORMAT || typeof content.settings !== 'object') return null;
    return content.settings as CreateAssistantRequest;
  } catch {
    return null;
  }
}
