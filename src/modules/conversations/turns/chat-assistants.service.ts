import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EgressClient } from '../../../common/egress/egress-client.js';
import { type CompiledAssistant, compileAssistant } from '../../../runtime/compile-assistant.js';
import { ToolMeter } from '../../../runtime/tools/tool-meter.js';
import { AssistantSnapshotsService } from '../../assistants/assistant-snapshots.service.js';
import { AssistantsService, type RuntimeAssistant } from '../../assistants/assistants.service.js';
import { type VisitorPolicy, visitorPolicyOf } from '../../assistants/settings/visitor-policy.js';

const MAX_CACHED = 1_000;

/** An assistant ready to chat. */
export interface ChatAssistant {
  /** Another one once the assistant, its tools or its knowledge base have changed. */
  readonly version: string;
  readonly compiled: CompiledAssistant;
  /** Whether a message may wake up a conversation that has ended. */
  readonly reactivates: boolean;
  /** Whether others may hand over to it as it is. */
  readonly isActive: boolean;
  /** What strangers may do with it. */
  readonly policy: VisitorPolicy;
}

/** Compiles assistants for chat, once for each version of them. */
@Injectable()
export class ChatAssistantsService {
  private readonly cache = new LRUCache<number, ChatAssistant>({ max: MAX_CACHED });

  constructor(
    private readonly assistants: AssistantsService,
    private readonly snapshots: AssistantSnapshotsService,
    private readonly egress: EgressClient,
    private readonly toolMeter: ToolMeter,
  ) {}

  /** The assistant as it was when this process last looked; null when it has not. */
  recall(assistantId: number | null): ChatAssistant | null {
    return assistantId === null ? null : (this.cache.get(assistantId) ?? null);
  }

  /** The assistant as it is; null when it is gone, or closed. */
  async find(userId: number, assistantId: number | null): Promise<ChatAssistant | null> {
    if (assistantId === null) return null;
    const cached = this.cache.get(assistantId);
    if (cached && cached.version === (await this.assistants.findVersion(userId, assistantId))) {
      return cached;
    }
    const current = await this.assistants.findRuntime(userId, assistantId);
    return current && current.closedAt === null ? this.prepare(current) : null;
  }

  async prepare(current: RuntimeAssistant): Promise<ChatAssistant> {
    const cached = this.cache.get(current.id);
    if (cached?.version === current.version) return cached;
    const assistant: ChatAssistant = {
      version: current.version,
      compiled: compileAssistant(await this.snapshots.take(current), 'chat', this.egress, this.toolMeter),
      reactivates: current.config.conversation_ended_retrigger,
      isActive: current.status === 'active',
      policy: visitorPolicyOf(current),
    };
    this.cache.set(current.id, assistant);
    return assistant;
  }
}
