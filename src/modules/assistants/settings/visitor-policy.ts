import type { AssistantConfig } from './assistant-config.js';
import type { AssistantDetails } from '../assistant-details.js';

/** What an assistant's owner allows to visitors, who have no token. Null: as the installation says. */
export interface VisitorPolicy {
  readonly userId: number;
  readonly assistantId: number;
  readonly assistantUuid: string;
  readonly assistantName: string;
  readonly conversationsPerHour: number | null;
  readonly conversationsPerAddressPerHour: number | null;
  readonly messagesPerHour: number | null;
  /** US dollars. */
  readonly dailySpend: number | null;
  /** Empty: any. */
  readonly allowedOrigins: readonly string[];
  readonly challengeRequired: boolean;
  /** Whether they may open conversations and calls at all. */
  readonly answersOnSite: boolean;
  /** From a browser, by voice. */
  readonly callsEnabled: boolean;
  /** Where events about limits go; null: nowhere. */
  readonly alertUrl: string | null;
}

export function visitorPolicyOf({
  id,
  userId,
  uuid,
  name,
  config,
}: Pick<AssistantDetails, 'id' | 'userId' | 'uuid' | 'name' | 'config'>): VisitorPolicy {
  return {
    userId,
    assistantId: id,
    assistantUuid: uuid,
    assistantName: name,
    conversationsPerHour: config.visitor_conversations_per_hour,
    conversationsPerAddressPerHour: config.visitor_conversations_per_address_per_hour,
    messagesPerHour: config.visitor_messages_per_hour,
    dailySpend: config.visitor_daily_spend,
    allowedOrigins: config.allowed_origins,
    challengeRequired: config.challenge_required,
    answersOnSite: config.web_chat_enabled,
    callsEnabled: config.visitor_calls_enabled,
    alertUrl: alertUrlOf(config),
  };
}

type WebhookSwitches = Pick<
  AssistantConfig,
  'is_webhook_active' | 'webhook_url' | 'conversation_ended_webhook_url'
>;

/** An event about limits goes where the assistant's events go: of calls, or else of conversations. */
export function alertUrlOf(config: WebhookSwitches): string | null {
  return (config.is_webhook_active ? config.webhook_url : null) ?? config.conversation_ended_webhook_url;
}
