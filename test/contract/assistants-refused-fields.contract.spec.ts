import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AssistantsApi,
  type Body,
  calendar,
  callTransfer,
  CATALOG,
  DUALPLEX,
  MISSING,
  MULTIMODAL,
} from '../support/assistants-api.js';

let api: AssistantsApi;

beforeAll(async () => {
  api = await AssistantsApi.start();
});
afterAll(() => api.app.stop());

const postCall = (overrides: Body = {}) => ({
  name: 'goal_reached',
  type: 'bool',
  description: 'Whether it was',
  ...overrides,
});

describe('Create assistant', () => {
  const refused: [string, string, Body][] = [
    // spec: create-assistant.name
    ['name is required', 'name', { name: undefined }],
    ['name is a string', 'name', { name: 7 }],
    // spec: create-assistant.name
    ['name has at most 255 characters', 'name', { name: 'x'.repeat(256) }],
    // spec: create-assistant.voice_id
    ['voice_id is required', 'voice_id', { voice_id: undefined }],
    // spec: create-assistant.voice_id
    ['voice_id is a voice', 'voice_id', { voice_id: MISSING }],
    // spec: create-assistant.voice_id
    ['the voice is compatible with the mode', 'voice_id', { ...MULTIMODAL, voice_id: CATALOG.pipelineVoice }],
    [
      'the voice is offered for the language',
      'voice_id',
      { voice_id: CATALOG.elevenlabsVoice, language_id: CATALOG.icelandic },
    ],
    // spec: create-assistant.language_id
    ['language_id is required', 'language_id', { language_id: undefined }],
    // spec: create-assistant.language_id, update-assistant.id-used-language_id
    ['language_id is of the languages listing', 'language_id', { language_id: MISSING }],
    // spec: create-assistant.type
    ['type is required', 'type', { type: undefined }],
    // spec: service.create-configure-assistants, create-assistant.type
    ['type is inbound or outbound', 'type', { type: 'both' }],
    // spec: create-assistant.mode
    ['mode is required', 'mode', { mode: undefined }],
    // spec: service.create-configure-assistants, create-assistant.mode
    ['mode is one of three', 'mode', { mode: 'simplex' }],
    // spec: create-assistant.timezone
    ['timezone is required', 'timezone', { timezone: undefined }],
    // spec: create-assistant.timezone
    ['timezone is an IANA name', 'timezone', { timezone: 'Brasilia' }],
    // spec: create-assistant.initial_message
    ['initial_message is required', 'initial_message', { initial_message: undefined }],
    // spec: create-assistant.initial_message
    ['initial_message has at most 200 characters', 'initial_message', { initial_message: 'x'.repeat(201) }],
    // spec: create-assistant.system_prompt
    ['system_prompt is required', 'system_prompt', { system_prompt: undefined }],
    ['system_prompt has at most 100,000 characters', 'system_prompt', { system_prompt: 'x'.repeat(100_001) }],
    // spec: create-assistant.llm_model_id
    ['llm_model_id is there when mode is pipeline', 'llm_model_id', { llm_model_id: undefined }],
    ['llm_model_id is an LLM', 'llm_model_id', { llm_model_id: CATALOG.realtime }],
    // spec: create-assistant.multimodal_model_id
    [
      'multimodal_model_id is there when mode is multimodal',
      'multimodal_model_id',
      { ...MULTIMODAL, multimodal_model_id: undefined },
    ],
    // spec: create-assistant.multimodal_model_id
    [
      'multimodal_model_id is there when mode is dualplex',
      'multimodal_model_id',
      { ...DUALPLEX, multimodal_model_id: null },
    ],
    [
      'multimodal_model_id is a multimodal model',
      'multimodal_model_id',
      { ...MULTIMODAL, multimodal_model_id: CATALOG.llm },
    ],
    // spec: create-assistant.chat_llm_fallback_id
    [
      'chat_llm_fallback_id is an LLM',
      'chat_llm_fallback_id',
      { ...MULTIMODAL, chat_llm_fallback_id: CATALOG.realtime },
    ],
    // spec: create-assistant.turn_detection_threshold
    [
      'turn_detection_threshold is at least 0',
      'turn_detection_threshold',
      { ...MULTIMODAL, turn_detection_threshold: -0.1 },
    ],
    // spec: create-assistant.turn_detection_threshold
    [
      'turn_detection_threshold is at most 1',
      'turn_detection_threshold',
      { ...MULTIMODAL, turn_detection_threshold: 1.1 },
    ],
    // spec: create-assistant.secondary_language_ids
    [
      'secondary_language_ids is an array',
      'secondary_language_ids',
      { secondary_language_ids: CATALOG.english },
    ],
    // spec: create-assistant.secondary_language_ids, update-assistant.id-used-language_id
    ['secondary_language_ids are languages', 'secondary_language_ids', { secondary_language_ids: [MISSING] }],
    ['secondary_language_ids do not repeat', 'secondary_language_ids', { secondary_language_ids: [2, 2] }],
    // spec: create-assistant.knowledgebase_id
    ['knowledgebase_id exists', 'knowledgebase_id', { knowledgebase_id: MISSING }],
    // spec: create-assistant.knowledgebase_mode
    [
      'knowledgebase_mode is function_call or prompt',
      'knowledgebase_mode',
      { knowledgebase_mode: 'semantic' },
    ],
    // spec: create-assistant.knowledgebase_mode
    [
      'knowledgebase_mode is function_call in multimodal',
      'knowledgebase_mode',
      { ...MULTIMODAL, knowledgebase_mode: 'prompt' },
    ],
    // spec: create-assistant.knowledgebase_mode
    [
      'knowledgebase_mode is function_call in dualplex',
      'knowledgebase_mode',
      { ...DUALPLEX, knowledgebase_mode: 'prompt' },
    ],
    // spec: create-assistant.phone_number_id
    ['phone_number_id exists', 'phone_number_id', { phone_number_id: MISSING }],
    // spec: create-assistant.tool_ids
    ['tool_ids exist', 'tool_ids', { tool_ids: [MISSING] }],
    ['tool_ids are ids', 'tool_ids.0', { tool_ids: ['x'] }],
    ['folder_id exists', 'folder_id', { folder_id: MISSING }],
    // spec: create-assistant.tts_emotion_enabled
    ['tts_emotion_enabled is a boolean', 'tts_emotion_enabled', { tts_emotion_enabled: 'yes' }],
    // spec: create-assistant.voice_stability
    ['voice_stability is at least 0', 'voice_stability', { voice_stability: -0.01 }],
    // spec: create-assistant.voice_stability
    ['voice_stability is at most 1', 'voice_stability', { voice_stability: 1.01 }],
    // spec: create-assistant.voice_similarity
    ['voice_similarity is at least 0', 'voice_similarity', { voice_similarity: -0.01 }],
    // spec: create-assistant.voice_similarity
    ['voice_similarity is at most 1', 'voice_similarity', { voice_similarity: 1.01 }],
    // spec: create-assistant.speech_speed
    ['speech_speed is at least 0.7', 'speech_speed', { speech_speed: 0.69 }],
    // spec: create-assistant.speech_speed
    ['speech_speed is at most 1.2', 'speech_speed', { speech_speed: 1.21 }],
    ['llm_temperature is a number', 'llm_temperature', { llm_temperature: '0.1' }],
    // spec: create-assistant.llm_temperature
    ['llm_temperature is at least 0', 'llm_temperature', { llm_temperature: -0.1 }],
    // spec: create-assistant.llm_temperature
    ['llm_temperature is at most 1', 'llm_temperature', { llm_temperature: 1.1 }],
    [
      'synthesizer_provider_id is a synthesizer',
      'synthesizer_provider_id',
      { synthesizer_provider_id: MISSING },
    ],
    // spec: create-assistant.synthesizer_provider_id
    [
      'the synthesizer is offered for the language',
      'synthesizer_provider_id',
      { language_id: CATALOG.icelandic, synthesizer_provider_id: CATALOG.elevenlabs },
    ],
    [
      'transcriber_provider_id is a transcriber',
      'transcriber_provider_id',
      { transcriber_provider_id: MISSING },
    ],
    // spec: create-assistant.transcriber_provider_id
    [
      'the transcriber is offered for the language',
      'transcriber_provider_id',
      { language_id: CATALOG.icelandic, transcriber_provider_id: CATALOG.deepgram },
    ],
    // spec: create-assistant.transcriber_provider_id
    [
      'transcriber_provider_id is for pipeline only',
      'transcriber_provider_id',
      { ...DUALPLEX, transcriber_provider_id: CATALOG.gladia },
    ],
    // spec: create-assistant.allow_interruptions
    [
      'allow_interruptions is not disabled in multimodal',
      'allow_interruptions',
      { ...MULTIMODAL, allow_interruptions: false },
    ],
    // spec: create-assistant.allow_interruptions
    [
      'allow_interruptions is not disabled in dualplex',
      'allow_interruptions',
      { ...DUALPLEX, allow_interruptions: false },
    ],
    // spec: create-assistant.fillers
    ['fillers are for pipeline only', 'fillers', { ...MULTIMODAL, fillers: true }],
    // spec: create-assistant.filler_config
    ['filler_config is an object', 'filler_config', { filler_config: 'hm' }],
    ['filler_config has no other keys', 'filler_config', { filler_config: { positve: ['Legal!'] } }],
    [
      'webhook_url has no user name and password',
      'webhook_url',
      { webhook_url: 'https://user:pass@example.com/' },
    ],
    [
      'conversation_ended_webhook_url has no user name',
      'conversation_ended_webhook_url',
      { conversation_ended_webhook_url: 'https://user@example.com/' },
    ],
    // spec: create-assistant.filler_config
    ['filler_config holds arrays', 'filler_config.positive', { filler_config: { positive: 'hm' } }],
    ['filler_config holds phrases', 'filler_config.neutral.0', { filler_config: { neutral: [1] } }],
    // spec: create-assistant.filler_config
    [
      'filler phrases are short',
      'filler_config.question.0',
      { filler_config: { question: ['x'.repeat(101)] } },
    ],
    // spec: create-assistant.record
    ['record is a boolean', 'record', { record: 1 }],
    // spec: create-assistant.enable_noise_cancellation
    [
      'enable_noise_cancellation is a boolean',
      'enable_noise_cancellation',
      { enable_noise_cancellation: 'x' },
    ],
    // spec: create-assistant.wait_for_customer
    ['wait_for_customer is a boolean', 'wait_for_customer', { wait_for_customer: 'x' }],
    // spec: create-assistant.max_duration
    ['max_duration is at least 20', 'max_duration', { max_duration: 19 }],
    // spec: create-assistant.max_duration
    ['max_duration is at most 1200', 'max_duration', { max_duration: 1201 }],
    ['max_duration is an integer', 'max_duration', { max_duration: 60.5 }],
    // spec: create-assistant.max_silence_duration
    ['max_silence_duration is at least 1', 'max_silence_duration', { max_silence_duration: 0 }],
    // spec: create-assistant.max_silence_duration
    ['max_silence_duration is at most 360', 'max_silence_duration', { max_silence_duration: 361 }],
    // spec: create-assistant.max_initial_silence_duration
    [
      'max_initial_silence_duration is at least 1',
      'max_initial_silence_duration',
      { max_initial_silence_duration: 0 },
    ],
    // spec: create-assistant.max_initial_silence_duration
    [
      'max_initial_silence_duration is at most 120',
      'max_initial_silence_duration',
      { max_initial_silence_duration: 121 },
    ],
    // spec: create-assistant.ringing_time
    ['ringing_time is at least 1', 'ringing_time', { ringing_time: 0 }],
    // spec: create-assistant.ringing_time
    ['ringing_time is at most 60', 'ringing_time', { ringing_time: 61 }],
    // spec: create-assistant.reengagement_interval
    ['reengagement_interval is at least 7', 'reengagement_interval', { reengagement_interval: 6 }],
    // spec: create-assistant.reengagement_interval
    ['reengagement_interval is at most 600', 'reengagement_interval', { reengagement_interval: 601 }],
    // spec: create-assistant.reengagement_prompt
    [
      'reengagement_prompt has at most 1000 characters',
      'reengagement_prompt',
      { reengagement_prompt: 'x'.repeat(1001) },
    ],
    // spec: create-assistant.end_call_on_voicemail
    ['end_call_on_voicemail is a boolean', 'end_call_on_voicemail', { end_call_on_voicemail: 'x' }],
    // spec: create-assistant.voice_mail_message
    [
      'voice_mail_message has at most 1000 characters',
      'voice_mail_message',
      { voice_mail_message: 'x'.repeat(1001) },
    ],
    [
      'monitoring_announcement is an object',
      'monitoring_announcement',
      { monitoring_announcement: 'Nossa equipe acompanha.' },
    ],
    [
      'monitoring_announcement is no array',
      'monitoring_announcement',
      { monitoring_announcement: [{ text: 'a', tone: true }] },
    ],
    [
      'monitoring_announcement has a text',
      'monitoring_announcement.text',
      { monitoring_announcement: { text: ' ', tone: true } },
    ],
    [
      'monitoring_announcement.text has at most 500 characters',
      'monitoring_announcement.text',
      { monitoring_announcement: { text: 'x'.repeat(501), tone: true } },
    ],
    [
      'monitoring_announcement says whether there is a tone',
      'monitoring_announcement.tone',
      { monitoring_announcement: { text: 'Nossa equipe acompanha.' } },
    ],
    [
      'monitoring_announcement.tone is a boolean',
      'monitoring_announcement.tone',
      { monitoring_announcement: { text: 'Nossa equipe acompanha.', tone: 'x' } },
    ],
    // spec: create-assistant.endpoint_type
    ['endpoint_type is vad or ai', 'endpoint_type', { endpoint_type: 'semantic' }],
    // spec: create-assistant.endpoint_sensitivity
    ['endpoint_sensitivity is at least 0', 'endpoint_sensitivity', { endpoint_sensitivity: -1 }],
    // spec: create-assistant.endpoint_sensitivity
    ['endpoint_sensitivity is at most 5', 'endpoint_sensitivity', { endpoint_sensitivity: 5.1 }],
    // spec: create-assistant.interrupt_sensitivity
    ['interrupt_sensitivity is at least 0', 'interrupt_sensitivity', { interrupt_sensitivity: -1 }],
    // spec: create-assistant.interrupt_sensitivity
    ['interrupt_sensitivity is at most 5', 'interrupt_sensitivity', { interrupt_sensitivity: 5.1 }],
    // spec: create-assistant.min_interrupt_words
    ['min_interrupt_words is at least 0', 'min_interrupt_words', { min_interrupt_words: -1 }],
    // spec: create-assistant.min_interrupt_words
    ['min_interrupt_words is at most 10', 'min_interrupt_words', { min_interrupt_words: 11 }],
    // spec: create-assistant.ambient_sound
    ['ambient_sound is one of seven', 'ambient_sound', { ambient_sound: 'beach' }],
    // spec: create-assistant.ambient_sound_volume
    ['ambient_sound_volume is at least 0', 'ambient_sound_volume', { ambient_sound_volume: -0.1 }],
    // spec: create-assistant.ambient_sound_volume
    ['ambient_sound_volume is at most 1', 'ambient_sound_volume', { ambient_sound_volume: 1.1 }],
    // spec: create-assistant.is_webhook_active
    ['is_webhook_active is a boolean', 'is_webhook_active', { is_webhook_active: 'x' }],
    // spec: create-assistant.webhook_url
    ['webhook_url is there when is_webhook_active is true', 'webhook_url', { is_webhook_active: true }],
    // spec: create-assistant.webhook_url
    ['webhook_url is http or https', 'webhook_url', { webhook_url: 'file:///etc/passwd' }],
    ['post_call_schema is an array', 'post_call_schema', { post_call_schema: {} }],
    // spec: create-assistant.post_call_schema-name-3
    [
      'a post-call name has 3 characters or more',
      'post_call_schema.0.name',
      { post_call_schema: [postCall({ name: 'ab' })] },
    ],
    // spec: create-assistant.post_call_schema-name-3
    [
      'a post-call name has at most 16 characters',
      'post_call_schema.0.name',
      { post_call_schema: [postCall({ name: 'a'.repeat(17) })] },
    ],
    // spec: create-assistant.post_call_schema-name-3
    [
      'a post-call name has lowercase letters, digits and underscores',
      'post_call_schema.0.name',
      { post_call_schema: [postCall({ name: 'Goal' })] },
    ],
    ['post-call names do not repeat', 'post_call_schema', { post_call_schema: [postCall(), postCall()] }],
    // spec: create-assistant.post_call_schema-type-string
    [
      'a post-call type is string, number or bool',
      'post_call_schema.0.type',
      { post_call_schema: [postCall({ type: 'boolean' })] },
    ],
    // spec: create-assistant.post_call_schema-description-3
    [
      'a post-call description has 3 characters or more',
      'post_call_schema.0.description',
      { post_call_schema: [postCall({ description: 'ab' })] },
    ],
    // spec: create-assistant.post_call_schema-description-3
    [
      'a post-call description has at most 255',
      'post_call_schema.0.description',
      { post_call_schema: [postCall({ description: 'x'.repeat(256) })] },
    ],
    // spec: create-assistant.variables
    ['variables is an object', 'variables', { variables: ['a'] }],
    ['variables has at most 64 KiB', 'variables', { variables: { a: 'x'.repeat(65_536) } }],
    // spec: create-assistant.conversation_inactivity_timeout
    [
      'conversation_inactivity_timeout is at least 1',
      'conversation_inactivity_timeout',
      { conversation_inactivity_timeout: 0 },
    ],
    // spec: create-assistant.conversation_inactivity_timeout
    [
      'conversation_inactivity_timeout is at most 1440',
      'conversation_inactivity_timeout',
      { conversation_inactivity_timeout: 1441 },
    ],
    // spec: create-assistant.conversation_ended_webhook_url
    [
      'conversation_ended_webhook_url is a URL',
      'conversation_ended_webhook_url',
      { conversation_ended_webhook_url: 'x' },
    ],
    // spec: create-assistant.tools
    ['tools is an array', 'tools', { tools: {} }],
    ['a tool is an object', 'tools.0', { tools: [null] }],
    ['a tool is no text', 'tools.1', { tools: [{ type: 'end_call' }, 'x'] }],
    ['a tool is no array', 'tools.0.type', { tools: [[]] }],
    ['a post-call field is an object', 'post_call_schema.0', { post_call_schema: ['x'] }],
    ['a post-call field is no array', 'post_call_schema.0', { post_call_schema: [[]] }],
    [
      'a booking field is no array',
      'tools.0.extcal_booking_fields.0',
      { tools: [calendar({ extcal_booking_fields: [[]] })] },
    ],
    // spec: built-in-tools.each-element-tools
    ['a tool has a type', 'tools.0.type', { tools: [{}] }],
    // spec: create-assistant.tools, built-in-tools.each-element-tools
    ['a tool type is known', 'tools.0.type', { tools: [{ type: 'fax' }] }],
    ['a tool type is no name of an object’s own', 'tools.0.type', { tools: [{ type: 'constructor' }] }],
    // spec: built-in-tools.call_transfer
    [
      'call_transfer has a phone_number',
      'tools.0.phone_number',
      { tools: [callTransfer({ phone_number: undefined })] },
    ],
    [
      'call_transfer.phone_number is a number or SIP address',
      'tools.0.phone_number',
      { tools: [callTransfer({ phone_number: 'mother' })] },
    ],
    // spec: built-in-tools.call_transfer-description-custom
    ['call_transfer.custom is a boolean', 'tools.0.custom', { tools: [callTransfer({ custom: 'x' })] }],
    // spec: built-in-tools.call_transfer-description-custom
    [
      'call_transfer.timezone is an IANA name',
      'tools.0.timezone',
      { tools: [callTransfer({ timezone: 'x' })] },
    ],
    // spec: built-in-tools.call_transfer-warm_transfer-boolean
    [
      'call_transfer.warm_transfer is a boolean',
      'tools.0.warm_transfer',
      { tools: [callTransfer({ warm_transfer: 'x' })] },
    ],
    // spec: built-in-tools.call_transfer-warm_transfer-boolean
    [
      'call_transfer.warm_transfer_message is a string',
      'tools.0.warm_transfer_message',
      { tools: [callTransfer({ warm_transfer_message: 1 })] },
    ],
    // spec: built-in-tools.end_call
    [
      'end_call.description is a string',
      'tools.0.description',
      { tools: [{ type: 'end_call', description: 1 }] },
    ],
    // spec: built-in-tools.dtmf_input
    [
      'dtmf_input.description is a string',
      'tools.0.description',
      { tools: [{ type: 'dtmf_input', description: 1 }] },
    ],
    // spec: built-in-tools.collect_keypad
    [
      'collect_keypad.timeout is at least 1',
      'tools.0.timeout',
      { tools: [{ type: 'collect_keypad', timeout: 0 }] },
    ],
    // spec: built-in-tools.collect_keypad
    [
      'collect_keypad.timeout is at most 30',
      'tools.0.timeout',
      { tools: [{ type: 'collect_keypad', timeout: 31 }] },
    ],
    // spec: built-in-tools.collect_keypad
    [
      'collect_keypad.stop_key is # or *',
      'tools.0.stop_key',
      { tools: [{ type: 'collect_keypad', stop_key: '1' }] },
    ],
    // spec: built-in-tools.calendar_integration-extcal_api_key
    [
      'calendar_integration has a key',
      'tools.0.extcal_api_key',
      { tools: [calendar({ extcal_api_key: undefined })] },
    ],
    [
      'a new calendar key is not a masked one',
      'tools.0.extcal_api_key',
      { tools: [calendar({ extcal_api_key: '••••abcd' })] },
    ],
    // spec: built-in-tools.extcal_event_slug
    [
      'calendar_integration has an event',
      'tools.0.extcal_event_slug',
      { tools: [calendar({ extcal_event_slug: undefined })] },
    ],
    // spec: built-in-tools.extcal_endpoint
    [
      'extcal_endpoint is us, eu or custom',
      'tools.0.extcal_endpoint',
      { tools: [calendar({ extcal_endpoint: 'br' })] },
    ],
    // spec: built-in-tools.extcal_custom_endpoint
    [
      'extcal_custom_endpoint is there when extcal_endpoint is custom',
      'tools.0.extcal_custom_endpoint',
      { tools: [calendar({ extcal_endpoint: 'custom' })] },
    ],
    [
      'extcal_custom_endpoint has no user name and password',
      'tools.0.extcal_custom_endpoint',
      {
        tools: [
          calendar({ extcal_endpoint: 'custom', extcal_custom_endpoint: 'https://u:p@cal.example.com' }),
        ],
      },
    ],
    // spec: built-in-tools.extcal_custom_endpoint
    [
      'extcal_custom_endpoint is a URL',
      'tools.0.extcal_custom_endpoint',
      { tools: [calendar({ extcal_endpoint: 'custom', extcal_custom_endpoint: 'x' })] },
    ],
    // spec: built-in-tools.extcal_booking_fields-slug-type
    [
      'a booking field has a slug',
      'tools.0.extcal_booking_fields.0.slug',
      { tools: [calendar({ extcal_booking_fields: [{ type: 'text', label: 'Nome' }] })] },
    ],
    // spec: built-in-tools.extcal_booking_fields-slug-type
    [
      'a booking field has a type',
      'tools.0.extcal_booking_fields.0.type',
      { tools: [calendar({ extcal_booking_fields: [{ slug: 'a', label: 'Nome' }] })] },
    ],
    // spec: built-in-tools.extcal_booking_fields-slug-type
    [
      'a booking field has a label',
      'tools.0.extcal_booking_fields.0.label',
      { tools: [calendar({ extcal_booking_fields: [{ slug: 'a', type: 'text' }] })] },
    ],
    // spec: built-in-tools.extcal_booking_fields-slug-type
    [
      'a booking field’s options are strings',
      'tools.0.extcal_booking_fields.0.options.0',
      {
        tools: [
          calendar({ extcal_booking_fields: [{ slug: 'a', type: 'select', label: 'b', options: [1] }] }),
        ],
      },
    ],
  ];
  it.each(refused)('refuses with 422 unless %s', async (_rule, field, overrides) => {
    const { body } = await api.create(overrides).expect(422);
    expect(Object.keys(body.errors)).toContain(field);
    expect(body.errors[field]).toEqual([expect.any(String)]);
    expect(body.message).toEqual(expect.any(String));
  });
});
