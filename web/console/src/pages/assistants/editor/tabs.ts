/** The parts of the editor, and which fields each shows. */
export const TABS = ['conversation', 'voice', 'calls', 'abilities', 'site'] as const;
export type Tab = (typeof TABS)[number];

export function isTab(value: unknown): value is Tab {
  return TABS.some((tab) => tab === value);
}

const FIELDS: Readonly<Record<Exclude<Tab, 'conversation'>, readonly string[]>> = {
  voice: [
    'voice_id',
    'synthesizer_provider_id',
    'transcriber_provider_id',
    'voice_stability',
    'voice_similarity',
    'speech_speed',
    'tts_emotion_enabled',
    'fillers',
    'filler_config',
    'ambient_sound',
    'ambient_sound_volume',
    'enable_noise_cancellation',
  ],
  calls: [
    'phone_number_id',
    'ringing_time',
    'max_duration',
    'max_silence_duration',
    'max_initial_silence_duration',
    'allow_interruptions',
    'ignore_backchannels',
    'min_interrupt_words',
    'interrupt_sensitivity',
    'endpoint_type',
    'endpoint_sensitivity',
    'turn_detection_threshold',
    'reengagement_interval',
    'reengagement_prompt',
    'end_call_on_voicemail',
    'voice_mail_message',
    'monitoring_announcement',
    'record',
  ],
  abilities: [
    'knowledgebase_id',
    'knowledgebase_mode',
    'tool_ids',
    'tools',
    'post_call_evaluation',
    'post_call_schema',
    'is_webhook_active',
    'webhook_url',
    'send_webhook_only_on_completed',
    'include_recording_in_webhook',
    'conversation_ended_webhook_url',
    'conversation_ended_retrigger',
    'conversation_inactivity_timeout',
    'lookup_url',
    'lookup_timeout_ms',
  ],
  site: [
    'web_chat_enabled',
    'widget_title',
    'widget_color',
    'widget_position',
    'widget_consent',
    'allowed_origins',
    'visitor_variables',
    'challenge_required',
    'visitor_calls_enabled',
    'visitor_conversations_per_hour',
    'visitor_conversations_per_address_per_hour',
    'visitor_messages_per_hour',
    'visitor_daily_spend',
  ],
};

/** Where the field of a path is: `tools.0.phone_number` is among the abilities. */
export function tabOf(path: string): Tab {
  const field = path.split('.')[0] ?? path;
  for (const tab of TABS) {
    if (tab !== 'conversation' && FIELDS[tab].includes(field)) return tab;
  }
  return 'conversation';
}
