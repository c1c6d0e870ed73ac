import type { StoredTool } from '../tools/built-in-tool.js';

export const ASSISTANT_TYPES = ['inbound', 'outbound'] as const;
export const ASSISTANT_STATUSES = ['inactive', 'active'] as const;
export const KNOWLEDGEBASE_MODES = ['function_call', 'prompt'] as const;
export const ENDPOINT_TYPES = ['vad', 'ai'] as const;
export const AMBIENT_SOUNDS = ['off', 'office', 'city', 'forest', 'crowded_room', 'cafe', 'nature'] as const;
export const POST_CALL_TYPES = ['string', 'number', 'bool'] as const;
export const FILLER_KINDS = ['positive', 'negative', 'question', 'neutral'] as const;

export type AssistantType = (typeof ASSISTANT_TYPES)[number];
export type AssistantStatus = (typeof ASSISTANT_STATUSES)[number];
export type KnowledgebaseMode = (typeof KNOWLEDGEBASE_MODES)[number];

/** Short phrases to bridge a pause, by the tone of what was said. */
export type FillerConfig = Readonly<Record<(typeof FILLER_KINDS)[number], readonly string[]>>;

/** Something to find out from a call once it is over. */
export interface PostCallField {
  readonly name: string;
  readonly type: (typeof POST_CALL_TYPES)[number];
  readonly description: string;
}

/** Tells the customer that people may listen to the call. */
export interface MonitoringAnnouncement {
  /** Spoken before the first listener hears the call; with placeholders. */
  readonly text: string;
  /** Whether a short tone repeats as long as a person listens. */
  readonly tone: boolean;
}

/**
 * The settings of an assistant beyond its columns, under their names in the API. Null means automatic where the
 * comment says so, and not set elsewhere.
 */
export const WIDGET_POSITIONS = ['right', 'left'] as const;
export type WidgetPosition = (typeof WIDGET_POSITIONS)[number];

export interface AssistantConfig {
  /** IANA name. */
  readonly timezone: string;
  readonly initial_message: string;
  readonly system_prompt: string;

  readonly chat_llm_fallback_id: number | null;
  /** Null: automatic. */
  readonly turn_detection_threshold: number | null;
  readonly secondary_language_ids: readonly number[];
  /** Null: function_call. Without a knowledge base it means nothing. */
  readonly knowledgebase_mode: KnowledgebaseMode | null;
  readonly tools: readonly StoredTool[];

  readonly tts_emotion_enabled: boolean;
  readonly voice_stability: number;
  readonly voice_similarity: number;
  readonly speech_speed: number;
  readonly llm_temperature: number;
  /** Null: that of the voice. */
  readonly synthesizer_provider_id: number | null;
  /** Null: that of the language. */
  readonly transcriber_provider_id: number | null;

  readonly allow_interruptions: boolean;
  readonly fillers: boolean;
  /** Null, or a kind left out: the phrases of the language. */
  readonly filler_config: Partial<FillerConfig> | null;
  readonly record: boolean;
  readonly enable_noise_cancellation: boolean;
  readonly wait_for_customer: boolean;

  /** Seconds, as are the next four. */
  readonly max_duration: number;
  readonly max_silence_duration: number;
  readonly max_initial_silence_duration: number | null;
  readonly ringing_time: number;
  readonly reengagement_interval: number;

  readonly reengagement_prompt: string | null;
  readonly end_call_on_voicemail: boolean;
  readonly voice_mail_message: string | null;
  readonly monitoring_announcement: MonitoringAnnouncement | null;
  readonly endpoint_type: (typeof ENDPOINT_TYPES)[number];
  readonly endpoint_sensitivity: number;
  readonly interrupt_sensitivity: number;
  /** Null: a single sound interrupts. */
  readonly min_interrupt_words: number | null;
  /** Signs of listening while it speaks neither interrupt it nor are answered. */
  readonly ignore_backchannels: boolean;
  readonly ambient_sound: (typeof AMBIENT_SOUNDS)[number];
  readonly ambient_sound_volume: number;

  readonly is_webhook_active: boolean;
  readonly webhook_url: string | null;
  readonly send_webhook_only_on_completed: boolean;
  readonly include_recording_in_webhook: boolean;
  readonly inbound_webhook_url: string | null;
  readonly post_call_evaluation: boolean;
  readonly post_call_schema: readonly PostCallField[];
  readonly variables: Readonly<Record<string, unknown>>;
  /** Names of variables that tools take from visitors; null: those without a value in `variables`. */
  readonly visitor_variables: readonly string[] | null;
  /** Minutes. */
  readonly conversation_inactivity_timeout: number;
  readonly conversation_ended_retrigger: boolean;
  readonly conversation_ended_webhook_url: string | null;

  /** Asked who the caller is before a web call or a conversation begins; null: nothing is asked. */
  readonly lookup_url: string | null;
  /** Real milliseconds. */
  readonly lookup_timeout_ms: number;

  /** What visitors may use up; null: as the installation says. */
  readonly visitor_conversations_per_hour: number | null;
  readonly visitor_conversations_per_address_per_hour: number | null;
  readonly visitor_messages_per_hour: number | null;
  /** US dollars. */
  readonly visitor_daily_spend: number | null;
  /** Origins of pages that may chat; empty: any. */
  readonly allowed_origins: readonly string[];
  /** Whether visitors solve a challenge before a conversation is opened. */
  readonly challenge_required: boolean;
  /** Whether visitors of the site reach it at all, by chat or by voice. */
  readonly web_chat_enabled: boolean;
  /** Whether visitors may call it from a browser. */
  readonly visitor_calls_enabled: boolean;

  /** How the chat looks on a page; null: the widget's own. */
  readonly widget_title: string | null;
  /** `#rrggbb`. */
  readonly widget_color: string | null;
  readonly widget_position: WidgetPosition;
  /** What a visitor reads before the first message. */
  readonly widget_consent: string | null;
}
