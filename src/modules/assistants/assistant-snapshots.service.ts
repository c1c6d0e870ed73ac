import { Injectable } from '@nestjs/common';
import type {
  AssistantSnapshot,
  BuiltinToolSpec,
  Knowledge,
  ModelRef,
  SpokenLanguage,
} from '../../runtime/assistant-snapshot.js';
import type { HandoffTarget } from '../../runtime/tools/handoff-target.js';
import { toModelRef } from './settings/to-model-ref.js';
import { handoffsIn } from './tools/built-in-tool.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';
import type { CatalogLanguage } from '../catalog/catalog-schema.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { KnowledgeService } from '../knowledgebases/retrieval/knowledge.service.js';
import { McpCallsService } from '../mcp-servers/mcp-calls.service.js';
import { toHttpTool } from '../tools/to-http-tool.js';
import { ToolsService } from '../tools/tools.service.js';
import { AssistantsService, type RuntimeAssistant } from './assistants.service.js';
import { BoundToolsService } from './tools/bound-tools.service.js';
import { TransferNumbersService } from './tools/transfer-numbers.service.js';
import { voiceSettingsOf } from './settings/voice-settings-of.js';

/** Gathers what an assistant is, for the compiler; the same for chat and for calls. */
@Injectable()
export class AssistantSnapshotsService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly tools: ToolsService,
    private readonly catalog: CatalogService,
    private readonly knowledge: KnowledgeService,
    private readonly mcp: McpCallsService,
    private readonly boundTools: BoundToolsService,
    private readonly numbers: TransferNumbersService,
  ) {}

  async take(assistant: RuntimeAssistant): Promise<AssistantSnapshot> {
    const { config } = assistant;
    const tools = await this.numbers.diallable(assistant.userId, config.tools);
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
      visitorVariables: config.visitor_variables,
      model: toModelRef(assistant.chatModel),
      fallbackModel: this.fallbackOf(assistant),
      httpTools: (await this.tools.findMany(assistant.userId, assistant.toolIds)).map(toHttpTool),
      mcpTools: await this.mcp.toolsOf(assistant.userId, assistant.id),
      builtinTools: tools.map((tool): BuiltinToolSpec => ({ ...tool })),
      boundTools: this.boundTools.of(tools, {
        userId: assistant.userId,
        assistantId: assistant.id,
        timezone: config.timezone,
      }),
      handoffs: await this.handoffsOf(assistant),
      knowledge: this.knowledgeOf(assistant),
    };
  }

  /** Their names are as they were when the assistant was last changed: a model has to know them by something. */
  private async handoffsOf({ userId, config }: RuntimeAssistant): Promise<HandoffTarget[]> {
    const destinations = config.tools.flatMap(handoffsIn);
    if (destinations.length === 0) return [];
    const names = await this.assistants.namesOf(
      userId,
      destinations.map(({ assistantId }) => assistantId),
    );
    return destinations.flatMap(({ assistantId, description, message, greets }) => {
      const name = names.get(assistantId);
      if (name === undefined) return [];
      const when = description ?? `When the customer asks for ${name}, or for what ${name} is there for.`;
      return [{ assistantId, name, description: when, message: message ?? '', greets }];
    });
  }

  /** Id and name in the catalogue of a provider's voice; null for a voice that the catalogue does not have. */
  voiceNamed(provider: string, code: string): { readonly id: number; readonly name: string } | null {
    const voice = this.catalog.findVoiceOf(provider, code);
    return voice && { id: voice.id, name: voice.name };
  }

  /** How it sounds and listens, where a call is heard. */
  voiceOf(assistant: RuntimeAssistant): VoiceSettings {
    return voiceSettingsOf(assistant, this.catalog);
  }

  private fallbackOf({ config, chatModel }: RuntimeAssistant): ModelRef | null {
    const id = config.chat_llm_fallback_id;
    const fallback = id === null ? null : this.catalog.findModel(id);
    return fallback && fallback.id !== chatModel.id ? toModelRef(fallback) : null;
  }

  private knowledgeOf({ userId, knowledgebaseId, config }: RuntimeAssistant): Knowledge | null {
    if (knowledgebaseId === null) return null;
    return {
      mode: config.knowledgebase_mode ?? 'function_call',
      search: (query, signal) => this.knowledge.search(userId, knowledgebaseId, query, { signal }),
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
