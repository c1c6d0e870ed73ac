import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { EgressClient } from '../../common/egress/egress-client.js';
import type { CallCarrier } from '../../providers/telephony/call-carrier.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { type CallSettings, toCallSettings } from '../../runtime/call/settings/call-settings.js';
import { type CompiledAssistant, compileAssistant } from '../../runtime/compile-assistant.js';
import { ToolMeter } from '../../runtime/tools/tool-meter.js';
import { AssistantSnapshotsService } from '../assistants/assistant-snapshots.service.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import type { StoredCall } from '../calls/call-facts.js';
import type { VoiceSettings } from '../../runtime/call/settings/voice-settings.js';

export interface AccountNumbers {
  /** The account's numbers by id; empty where the assistant transfers no calls. */
  readonly numbers: ReadonlyMap<number, string>;
  /** By the same ids, what calls from these numbers go out through. */
  readonly secondLegs: ReadonlyMap<number, CallCarrier>;
}

/** An assistant ready to talk on the telephone. */
export interface CallAssistant extends AccountNumbers {
  readonly compiled: CompiledAssistant;
  /** Whether others may hand over to it as it is. */
  readonly isActive: boolean;
  readonly settings: CallSettings;
  readonly voice: VoiceSettings;
}

/** Those that may need the account's numbers: who takes over may transfer. */
const TRANSFERS: ReadonlySet<string> = new Set(['call_transfer', 'warm_call_transfer', 'handoff']);

const MAX_CACHED = 1_000;

/** Compiles assistants for calls, once for each version of them. */
@Injectable()
export class CallAssistantsService {
  private readonly cache = new LRUCache<
    number,
    { readonly version: string; readonly compiled: CompiledAssistant }
  >({ max: MAX_CACHED });

  constructor(
    private readonly assistants: AssistantsService,
    private readonly snapshots: AssistantSnapshotsService,
    private readonly numbers: PhoneNumbersService,
    private readonly carriers: CallCarriers,
    private readonly egress: EgressClient,
    private readonly toolMeter: ToolMeter,
  ) {}

  /** Null when the assistant is gone. */
  async find({
    userId,
    assistantId,
  }: Pick<StoredCall, 'userId' | 'assistantId'>): Promise<CallAssistant | null> {
    const current = await this.findRuntime({ userId, assistantId });
    if (!current) return null;
    const needsNumbers = current.config.tools.some(({ type }) => TRANSFERS.has(type));
    return {
      compiled: await this.compile(current),
      isActive: current.status === 'active',
      settings: toCallSettings(current.config),
      voice: this.snapshots.voiceOf(current),
      ...(needsNumbers ? await this.numbersOf(userId) : { numbers: new Map(), secondLegs: new Map() }),
    };
  }

  /** For a transfer. */
  async numbersOf(userId: number): Promise<AccountNumbers> {
    const numbers = await this.numbers.listOwned(userId);
    return {
      numbers: new Map(numbers.map(({ id, phoneNumber }) => [id, phoneNumber])),
      secondLegs: new Map(numbers.map((number) => [number.id, this.carriers.of(number)])),
    };
  }

  async findRuntime({
    userId,
    assistantId,
  }: Pick<StoredCall, 'userId' | 'assistantId'>): Promise<RuntimeAssistant | null> {
    return assistantId === null ? null : this.assistants.findRuntime(userId, assistantId);
  }

  private async compile(current: RuntimeAssistant): Promise<CompiledAssistant> {
    const cached = this.cache.get(current.id);
    if (cached?.version === current.version) return cached.compiled;
    const compiled = compileAssistant(
      await this.snapshots.take(current),
      'call',
      this.egress,
      this.toolMeter,
    );
    this.cache.set(current.id, { version: current.version, compiled });
    return compiled;
  }
}
