import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../common/egress/egress-client.js';
import type {
  AssistantSnapshot,
  BuiltinToolSpec,
  ModelRef,
  SpokenLanguage,
} from '../../runtime/assistant-snapshot.js';
import { type CompiledAssistant, compileAssistant } from '../../runtime/compile-assistant.js';
import type { HttpTool } from '../../runtime/http-tool.js';

import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import type { CatalogLanguage, CatalogModel } from '../catalog/catalog-schema.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { type ToolDetails, ToolsService } from '../tools/tools.service.js';

const MAX_CACHED = 1_000;

/** An assistant ready to chat. */
export interface ChatAssistant {
  readonly compiled: CompiledAssistant;
  /** Whether a message may wake up a conversation that has ended. */
  readonly reactivates: boolean;
}

/** Compiles assistants for chat, once for each version of them. */
@Injectable()
export class ChatAssistants {
  private readonly cache = new Map<number, { readonly version: string; readonly assistant: ChatAssistant }>();

  constructor(
    private readonly assistants: AssistantsService,
    private readonly tools: ToolsService,
    private readonly catalog: CatalogService,
    private readonly egress: EgressClient,
  ) {}

  /** Null when the assistant is gone. */
  async find(userId: number, assistantId: number | null): Promise<ChatAssistant | null> {
    const current = assistantId === null ? null : await this.assistants.findRuntime(userId, assistantId);
    return current && this.prepare(current);
  }

  async prepare(current: RuntimeAssistant): Promise<ChatAssistant> {
    const cached = this.cache.get(current.id);
    if (cached?.version === current.version) return cached.assistant;
    const assistant = {
      compiled: compileAssistant(await this.snapshotOf(current), 'chat', this.egress),
      reactivates: current.config.conversation_ended_retrigger,
    };
    this.remember(current, assistant);
    return assistant;
  }

  private remember({ id, version }: RuntimeAssistant, assistant: ChatAssistant): void {
    this.cache.delete(id);
    this.cache.set(id, { version, assistant });
    const [oldest] = this.cache.keys();
    if (this.cache.size > MAX_CACHED && oldest !== undefined) this.cache.delete(oldest);
  }

  private async snapshotOf(assistant: RuntimeAssistant): Promise<AssistantSnapshot> {
    const { config } = assistant;
    const fallback =
      config.chat_llm_fallback_id === null ? null : this.catalog.findModel(config.chat_llm_fallback_id);
    return {
      id: assistant.id,
      name: assistant.name,
      mode: assistant.mode,
      timezone: config.timezone,
      language: toSpoken(assistant.language ?? this.firstLanguage()),
      secondaryLanguages: config.secondary_language_ids.flatMap((id) => {
        const language = this.catalog.findLanguage(id);
        return language ? [toSpoken(language)] : [];
      }),
      systemPrompt: config.system_prompt,
      initialMessage: config.initial_message,
      temperature: config.llm_temperature,
      variables: config.variables,
      model: toModelRef(assistant.chatModel),
      fallbackModel: fallback && fallback.id !== assistant.chatModel.id ? toModelRef(fallback) : null,
      httpTools: (await this.tools.findMany(assistant.userId, assistant.toolIds)).map(toHttpTool),
      builtinTools: config.tools.map((tool): BuiltinToolSpec => ({ ...tool })),
      knowledge: null,
    };
  }

  private firstLanguage(): CatalogLanguage {
    const [first] = this.catalog.languages();
    if (!first) throw new Error('a catalogue without a language is refused at start');
    return first;
  }
}

function toSpoken({ name, iso_2: iso2 }: CatalogLanguage): SpokenLanguage {
  return { name, iso2 };
}

function toModelRef({ code, reasoning_effort: reasoningEffort }: CatalogModel): ModelRef {
  return reasoningEffort ? { code, reasoningEffort } : { code };
}

function toHttpTool(tool: ToolDetails): HttpTool {
  const { name, description, endpoint, method, bodyFormat, headers, staticFields, timeoutSeconds, schema } =
    tool;
  return {
    name,
    description,
    endpoint,
    method,
    bodyFormat,
    headers,
    staticFields,
    timeoutMs: timeoutSeconds * 1_000,
    parameters: schema,
  };
}
