import { Injectable } from '@nestjs/common';
import { ChatModelRegistry } from '../../providers/llm/chat-model-registry.js';
import { SpeechProviderRegistry } from '../../providers/speech/speech-provider-registry.js';
import { CallForecastsService } from '../active-calls/call-forecasts.service.js';
import type { AssistantDetails } from '../assistants/assistant-details.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { CallStatsService, type RecentCalls } from '../calls/stats/call-stats.service.js';
import { CatalogService } from '../catalog/catalog.service.js';

/** What the account pays itself, because its own key is used: Prosa does not know these prices. */
export const OWN_KEY_PARTS = ['model', 'voice', 'transcriber'] as const;
export type OwnKeyPart = (typeof OWN_KEY_PARTS)[number];

/** What a minute of an assistant's calls costs, and what its last calls came to. Amounts are micro-dollars. */
export interface CallEstimate {
  /** The assistant: model and speech by the keys of the installation, and the platform. */
  readonly assistantMicros: number;
  /** The line of a telephone call; null for a number whose carrier the account pays itself. */
  readonly phoneMicros: number | null;
  readonly ownKeys: readonly OwnKeyPart[];
  /** Null before the first call that was answered. */
  readonly recent: RecentCalls | null;
}

/** Says what calls of an assistant cost and how fast it answers, from its settings and its last calls. */
@Injectable()
export class CallEstimatesService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly catalog: CatalogService,
    private readonly forecasts: CallForecastsService,
    private readonly calls: CallStatsService,
    private readonly models: ChatModelRegistry,
    private readonly speech: SpeechProviderRegistry,
  ) {}

  /** @throws AssistantNotFoundError */
  async of(userId: number, assistantId: number): Promise<CallEstimate> {
    const assistant = await this.assistants.get(userId, assistantId);
    const [{ aiMicros, carrierMicros, lineIsFree }, recent, ownKeys] = await Promise.all([
      this.forecasts.minuteCost(userId, assistant.phoneNumberId),
      this.calls.recentOf(userId, assistantId),
      this.ownKeysOf(userId, assistant),
    ]);
    const phoneMicros = lineIsFree ? null : carrierMicros;
    return { assistantMicros: aiMicros, phoneMicros, ownKeys, recent };
  }

  private async ownKeysOf(userId: number, assistant: AssistantDetails): Promise<readonly OwnKeyPart[]> {
    const { mode, voiceId, multimodalModelId, config } = assistant;
    const [speech, hasChatKey] = await Promise.all([this.speech.of(userId), this.models.usesOwnKey(userId)]);
    const model = multimodalModelId === null ? null : this.catalog.findModel(multimodalModelId);
    const voice =
      this.catalog.synthesizers().find(({ id }) => id === config.synthesizer_provider_id)?.code ??
      this.catalog.findVoice(voiceId)?.provider ??
      '';
    const transcriber = this.catalog
      .transcribers()
      .find(({ id }) => id === config.transcriber_provider_id)?.code;
    const usesOwn: Readonly<Record<OwnKeyPart, boolean>> = {
      model: mode === 'pipeline' ? hasChatKey : speech.usesOwnKey('realtime', model?.provider ?? ''),
      voice: mode !== 'multimodal' && speech.usesOwnKey('synthesizer', voice),
      transcriber: mode === 'pipeline' && speech.usesOwnKey('recognizer', transcriber ?? ''),
    };
    return OWN_KEY_PARTS.filter((part) => usesOwn[part]);
  }
}
