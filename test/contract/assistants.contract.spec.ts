import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { AssistantSnapshotsService } from '../../src/modules/assistants/assistant-snapshots.service.js';
import { AssistantsService } from '../../src/modules/assistants/assistants.service.js';
import { FoldersService } from '../../src/modules/folders/folders.service.js';
import { KnowledgebasesService } from '../../src/modules/knowledgebases/knowledgebases.service.js';
import { PhoneNumbersService } from '../../src/modules/phone-numbers/phone-numbers.service.js';
import { ToolsService } from '../../src/modules/tools/tools.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { assistantBody, createTool } from '../support/builders.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const MISSING = 2_000_000_000;

/** Of the bundled catalogue. */
const ENGLISH = 2;
const ICELANDIC = 34;
const OPENAI_VOICE = 1;
const PIPELINE_VOICE = 11;
const ELEVENLABS_VOICE = 101;
const LLM = 1;
const OTHER_LLM = 2;
const REALTIME = 101;
const OTHER_REALTIME = 102;
const ELEVENLABS = 1;
const OPENAI_SYNTHESIZER = 4;
const DEEPGRAM = 1;
const GLADIA = 3;

const MULTIMODAL = {
  mode: 'multimodal',
  llm_model_id: undefined,
  multimodal_model_id: REALTIME,
  voice_id: OPENAI_VOICE,
};
const DUALPLEX = { ...MULTIMODAL, mode: 'dualplex', voice_id: ELEVENLABS_VOICE };

let app: TestApp;
let account: TestAccount;
let stranger: TestAccount;

beforeAll(async () => {
  app = await TestApp.start();
  account = await app.account();
  stranger = await app.account();
});
afterAll(() => app.stop());

type Body = Record<string, any>;

const create = (overrides: Body = {}, owner = account) =>
  app.as(owner).post('/api/user/assistant').send(assistantBody(overrides));
const created = async (overrides: Body = {}, owner = account): Promise<number> =>
  (await create(overrides, owner).expect(201)).body.data.id;
const read = async (id: number, owner = account): Promise<Body> =>
  (await app.as(owner).get(`/api/user/assistant/${id}`).expect(200)).body;
const update = (id: number, body: Body, owner = account) =>
  app.as(owner).put(`/api/user/assistant/${id}`).send(body);
const list = async (path: string, owner = account): Promise<Body[]> =>
  (await app.as(owner).get(`/api/user/assistants${path}`).expect(200)).body;

async function insert(table: string, row: Body): Promise<number> {
  const columns = Object.keys(row);
  const [inserted] = await app.app
    .get(Database)
    .query<{ id: number }>(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
      Object.values(row),
    );
  return inserted!.id;
}
let numbers = 0;
const number = (owner = account, type = 'normal') =>
  insert('phone_numbers', {
    user_id: owner.userId,
    // A number is rented once in the whole installation.
    phone_number: `+55119${String(10_000_000 + numbers++)}`,
    country_code: 'BR',
    type,
  });
const knowledgebase = (owner = account) =>
  insert('knowledgebases', { user_id: owner.userId, name: 'Manual', status: 'active' });
const folder = (owner = account) =>
  insert('folders', { user_id: owner.userId, name: `Pasta ${Math.random()}` });
const remove = (table: string, id: number) =>
  app.app.get(Database).query(`DELETE FROM ${table} WHERE id = $1`, [id]);

const transfer = (overrides: Body = {}) => ({
  type: 'call_transfer',
  phone_number: '+5511987654321',
  ...overrides,
});
const calendar = (overrides: Body = {}) => ({
  type: 'calendar_integration',
  extcal_api_key: 'cal_live_0123456789abcd',
  extcal_event_slug: 'visit',
  ...overrides,
});
const postCall = (overrides: Body = {}) => ({
  name: 'goal_reached',
  type: 'bool',
  description: 'Whether it was',
  ...overrides,
});

describe('Create assistant', () => {
  // spec: assistant.returned-creation-id, states.assistant-inactive-state, create-assistant.success
  // spec: built-in-tools.response
  it('answers 201 with message and id, name, status, type and mode of the new, inactive assistant', async () => {
    const { body } = await create().expect(201);
    expect(body).toEqual({
      message: 'Assistente criado com sucesso',
      data: {
        id: expect.any(Number),
        name: 'Recepção',
        status: 'inactive',
        type: 'inbound',
        mode: 'pipeline',
      },
    });
  });

  // spec: create-assistant.turn_detection_threshold, create-assistant.tts_emotion_enabled
  // spec: create-assistant.voice_stability, create-assistant.voice_similarity
  // spec: create-assistant.speech_speed, create-assistant.llm_temperature
  // spec: create-assistant.synthesizer_provider_id, create-assistant.transcriber_provider_id
  // spec: create-assistant.allow_interruptions, create-assistant.fillers, create-assistant.filler_config
  // spec: create-assistant.record, create-assistant.enable_noise_cancellation
  // spec: create-assistant.wait_for_customer, create-assistant.max_duration
  // spec: create-assistant.max_silence_duration, create-assistant.max_initial_silence_duration
  // spec: create-assistant.ringing_time, create-assistant.reengagement_interval
  // spec: create-assistant.end_call_on_voicemail, create-assistant.endpoint_type
  // spec: create-assistant.endpoint_sensitivity, create-assistant.interrupt_sensitivity
  // spec: create-assistant.min_interrupt_words, create-assistant.ambient_sound_volume
  // spec: create-assistant.is_webhook_active, create-assistant.send_webhook_only_on_completed
  // spec: create-assistant.include_recording_in_webhook, create-assistant.post_call_evaluation
  // spec: create-assistant.conversation_inactivity_timeout, create-assistant.conversation_ended_retrigger
  it('applies every default, and shows it when the assistant is read', async () => {
    const id = await created();
    expect(await read(id)).toEqual({
      ...assistantBody(),
      id,
      uuid: expect.stringMatching(UUID),
      user_id: account.userId,
      status: 'inactive',
      language: 'pt',
      multimodal_model_id: null,
      chat_llm_fallback_id: null,
      turn_detection_threshold: null,
      secondary_language_ids: [],
      knowledgebase_id: null,
      knowledgebase_mode: null,
      phone_number_id: null,
      folder_id: null,
      label_ids: [],
      tool_ids: [],
      tools: [],
      tts_emotion_enabled: true,
      voice_stability: 0.7,
      voice_similarity: 0.5,
      speech_speed: 1,
      llm_temperature: 0.1,
      synthesizer_provider_id: OPENAI_SYNTHESIZER,
      transcriber_provider_id: DEEPGRAM,
      allow_interruptions: true,
      fillers: false,
      filler_config: {
        positive: ['Que bom!', 'Ótimo.'],
        negative: ['Entendo.', 'Sinto muito.'],
        question: ['Boa pergunta.', 'Deixe-me ver.'],
        neutral: ['Certo.', 'Só um momento.'],
      },
      record: false,
      enable_noise_cancellation: true,
      wait_for_customer: false,
      max_duration: 600,
      max_silence_duration: 40,
      max_initial_silence_duration: null,
      ringing_time: 30,
      reengagement_interval: 30,
      reengagement_prompt: null,
      end_call_on_voicemail: true,
      voice_mail_message: null,
      monitoring_announcement: null,
      endpoint_type: 'vad',
      endpoint_sensitivity: 0.5,
      interrupt_sensitivity: 0.5,
      min_interrupt_words: null,
      ignore_backchannels: true,
      ambient_sound: 'off',
      ambient_sound_volume: 0.5,
      is_webhook_active: false,
      webhook_url: null,
      send_webhook_only_on_completed: true,
      include_recording_in_webhook: true,
      inbound_webhook_url: null,
      post_call_evaluation: true,
      post_call_schema: [],
      variables: {},
      conversation_inactivity_timeout: 30,
      conversation_ended_retrigger: false,
      lookup_url: null,
      lookup_timeout_ms: 3_000,
      conversation_ended_webhook_url: null,
      visitor_conversations_per_hour: null,
      visitor_conversations_per_address_per_hour: null,
      visitor_messages_per_hour: null,
      visitor_variables: null,
      visitor_daily_spend: null,
      allowed_origins: [],
      challenge_required: false,
      activates_by_use: true,
      web_chat_enabled: true,
      visitor_calls_enabled: true,
      widget_title: null,
      widget_color: null,
      widget_position: 'right',
      widget_consent: null,
      created_at: expect.stringMatching(ISO),
      updated_at: expect.stringMatching(ISO),
    });
  });

  it('takes null for an optional field as its default', async () => {
    const id = await created({ max_duration: null, record: null, tools: null, webhook_url: null });
    expect(await read(id)).toMatchObject({ max_duration: 600, record: false, tools: [], webhook_url: null });
  });

  // spec: service.create-configure-assistants, service.attach-knowledge-bases
  // spec: assistant.configuration-fields-request, create-tool.tool-attached-through
  // spec: create-assistant.secondary_language_ids, create-assistant.knowledgebase_id
  it('stores every field as sent, and reads it back', async () => {
    const sent = {
      ...assistantBody(),
      secondary_language_ids: [ENGLISH, ICELANDIC],
      chat_llm_fallback_id: OTHER_LLM,
      turn_detection_threshold: 0.4,
      knowledgebase_id: await knowledgebase(),
      knowledgebase_mode: 'prompt',
      phone_number_id: await number(),
      folder_id: await folder(),
      tool_ids: [await createTool(app, account, { name: 'get_price' }), await createTool(app, account)],
      tts_emotion_enabled: false,
      voice_stability: 0.25,
      voice_similarity: 0.75,
      speech_speed: 1.15,
      llm_temperature: 0.55,
      synthesizer_provider_id: ELEVENLABS,
      transcriber_provider_id: GLADIA,
      allow_interruptions: false,
      fillers: true,
      filler_config: { positive: ['Legal!'], negative: [], question: ['Hm?'], neutral: ['Sim.'] },
      record: true,
      enable_noise_cancellation: false,
      wait_for_customer: true,
      max_duration: 900,
      max_silence_duration: 60,
      max_initial_silence_duration: 15,
      ringing_time: 45,
      reengagement_interval: 20,
      reengagement_prompt: 'Pergunte se ainda está aí.',
      end_call_on_voicemail: false,
      voice_mail_message: 'Ligaremos mais tarde.',
      monitoring_announcement: { text: 'Olá {{name}}, nossa equipe acompanha.', tone: true },
      endpoint_type: 'ai',
      endpoint_sensitivity: 2.5,
      interrupt_sensitivity: 4.5,
      min_interrupt_words: 3,
      ignore_backchannels: false,
      ambient_sound: 'cafe',
      ambient_sound_volume: 0.3,
      is_webhook_active: true,
      webhook_url: 'https://example.com/hook',
      send_webhook_only_on_completed: false,
      include_recording_in_webhook: false,
      post_call_evaluation: false,
      post_call_schema: [postCall(), postCall({ name: 'score_1', type: 'number' })],
      variables: { company: 'Padaria Central', stores: 3, vip: true },
      conversation_inactivity_timeout: 120,
      conversation_ended_retrigger: true,
      conversation_ended_webhook_url: 'http://example.com/ended',
      lookup_url: 'https://crm.example/who',
      lookup_timeout_ms: 1_500,
    };
    expect(await read(await created(sent))).toMatchObject(sent);
  });

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
    ['the voice is compatible with the mode', 'voice_id', { ...MULTIMODAL, voice_id: PIPELINE_VOICE }],
    [
      'the voice is offered for the language',
      'voice_id',
      { voice_id: ELEVENLABS_VOICE, language_id: ICELANDIC },
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
    ['llm_model_id is an LLM', 'llm_model_id', { llm_model_id: REALTIME }],
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
      { ...MULTIMODAL, multimodal_model_id: LLM },
    ],
    // spec: create-assistant.chat_llm_fallback_id
    [
      'chat_llm_fallback_id is an LLM',
      'chat_llm_fallback_id',
      { ...MULTIMODAL, chat_llm_fallback_id: REALTIME },
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
    ['secondary_language_ids is an array', 'secondary_language_ids', { secondary_language_ids: ENGLISH }],
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
      { language_id: ICELANDIC, synthesizer_provider_id: ELEVENLABS },
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
      { language_id: ICELANDIC, transcriber_provider_id: DEEPGRAM },
    ],
    // spec: create-assistant.transcriber_provider_id
    [
      'transcriber_provider_id is for pipeline only',
      'transcriber_provider_id',
      { ...DUALPLEX, transcriber_provider_id: GLADIA },
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
      { tools: [transfer({ phone_number: undefined })] },
    ],
    [
      'call_transfer.phone_number is a number or SIP address',
      'tools.0.phone_number',
      { tools: [transfer({ phone_number: 'mother' })] },
    ],
    // spec: built-in-tools.call_transfer-description-custom
    ['call_transfer.custom is a boolean', 'tools.0.custom', { tools: [transfer({ custom: 'x' })] }],
    // spec: built-in-tools.call_transfer-description-custom
    ['call_transfer.timezone is an IANA name', 'tools.0.timezone', { tools: [transfer({ timezone: 'x' })] }],
    // spec: built-in-tools.call_transfer-warm_transfer-boolean
    [
      'call_transfer.warm_transfer is a boolean',
      'tools.0.warm_transfer',
      { tools: [transfer({ warm_transfer: 'x' })] },
    ],
    // spec: built-in-tools.call_transfer-warm_transfer-boolean
    [
      'call_transfer.warm_transfer_message is a string',
      'tools.0.warm_transfer_message',
      { tools: [transfer({ warm_transfer_message: 1 })] },
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
    const { body } = await create(overrides).expect(422);
    expect(Object.keys(body.errors)).toContain(field);
    expect(body.errors[field]).toEqual([expect.any(String)]);
    expect(body.message).toEqual(expect.any(String));
  });

  const accepted: [string, Body][] = [
    ['a name of 255 characters', { name: 'x'.repeat(255) }],
    ['an outbound assistant', { type: 'outbound' }],
    ['mode multimodal with its model', MULTIMODAL],
    ['mode dualplex with its model and a synthesizer’s voice', DUALPLEX],
    ['the time zone UTC', { timezone: 'UTC' }],
    ['an initial_message of 200 characters', { initial_message: 'x'.repeat(200) }],
    ['both models in one request', { multimodal_model_id: REALTIME }],
    ['turn_detection_threshold 0 and 1', { ...MULTIMODAL, turn_detection_threshold: 1 }],
    ['allow_interruptions false in pipeline', { allow_interruptions: false }],
    ['allow_interruptions true in multimodal', { ...MULTIMODAL, allow_interruptions: true }],
    ['fillers in pipeline', { fillers: true }],
    ['fillers false in multimodal', { ...MULTIMODAL, fillers: false }],
    // spec: create-assistant.voice_stability, create-assistant.voice_similarity
    // spec: create-assistant.speech_speed, create-assistant.llm_temperature, create-assistant.max_duration
    // spec: create-assistant.max_silence_duration, create-assistant.max_initial_silence_duration
    // spec: create-assistant.ringing_time, create-assistant.reengagement_interval
    // spec: limits.assistant-field-ranges
    [
      'all lower limits',
      {
        voice_stability: 0,
        voice_similarity: 0,
        speech_speed: 0.7,
        llm_temperature: 0,
        max_duration: 20,
        max_silence_duration: 1,
        max_initial_silence_duration: 1,
        ringing_time: 1,
        reengagement_interval: 7,
        endpoint_sensitivity: 0,
        interrupt_sensitivity: 0,
        min_interrupt_words: 0,
        ambient_sound_volume: 0,
        conversation_inactivity_timeout: 1,
      },
    ],
    // spec: create-assistant.name, create-assistant.initial_message, create-assistant.voice_stability
    // spec: create-assistant.voice_similarity, create-assistant.speech_speed
    // spec: create-assistant.llm_temperature, create-assistant.max_duration
    // spec: create-assistant.max_silence_duration, create-assistant.max_initial_silence_duration
    // spec: create-assistant.ringing_time, create-assistant.reengagement_interval
    // spec: create-assistant.reengagement_prompt, create-assistant.voice_mail_message
    // spec: limits.assistant-field-ranges
    [
      'all upper limits',
      {
        voice_stability: 1,
        voice_similarity: 1,
        speech_speed: 1.2,
        llm_temperature: 1,
        max_duration: 1200,
        max_silence_duration: 360,
        max_initial_silence_duration: 120,
        ringing_time: 60,
        reengagement_interval: 600,
        endpoint_sensitivity: 5,
        interrupt_sensitivity: 5,
        min_interrupt_words: 10,
        ambient_sound_volume: 1,
        conversation_inactivity_timeout: 1440,
        reengagement_prompt: 'x'.repeat(1000),
        voice_mail_message: 'x'.repeat(1000),
        monitoring_announcement: { text: 'x'.repeat(500), tone: false },
      },
    ],
    ...['off', 'office', 'city', 'forest', 'crowded_room', 'cafe', 'nature'].map((sound): [string, Body] => [
      `ambient_sound ${sound}`,
      { ambient_sound: sound },
    ]),
    ['webhook_url while the webhook is inactive', { webhook_url: 'http://example.com/hook' }],
    // spec: create-assistant.post_call_schema-name-3, create-assistant.post_call_schema-type-string
    [
      'post-call fields of 3 and 16 characters and of each type',
      {
        post_call_schema: [
          postCall({ name: 'abc', type: 'string' }),
          postCall({ name: 'a'.repeat(16), type: 'number' }),
          postCall({ name: 'a_1' }),
        ],
      },
    ],
    ['a transfer to a SIP address', { tools: [transfer({ phone_number: 'sip:desk@pbx.example.com' })] }],
    ['several transfers', { tools: [transfer(), transfer({ phone_number: '+551140028922', custom: true })] }],
    // spec: built-in-tools.collect_keypad
    [
      'collect_keypad timeout 1 and stop key *',
      { tools: [{ type: 'collect_keypad', timeout: 1, stop_key: '*' }] },
    ],
  ];
  it.each(accepted)('accepts %s', async (_rule, overrides) => {
    const id = await created(overrides);
    expect(await read(id)).toMatchObject(JSON.parse(JSON.stringify(overrides)));
  });

  it('names every field that is missing at once', async () => {
    const { body } = await app.as(account).post('/api/user/assistant').send({}).expect(422);
    expect(Object.keys(body.errors).sort()).toEqual(
      [
        'initial_message',
        'language_id',
        'mode',
        'name',
        'system_prompt',
        'timezone',
        'type',
        'voice_id',
      ].sort(),
    );
    expect(body.message).toBe(`${Object.values<string[]>(body.errors)[0]![0]} (e mais 7)`);
  });

  it('names every rule between fields that is broken at once', async () => {
    const { body } = await create({
      ...MULTIMODAL,
      multimodal_model_id: undefined,
      voice_id: PIPELINE_VOICE,
      allow_interruptions: false,
      knowledgebase_mode: 'prompt',
      fillers: true,
      is_webhook_active: true,
      tool_ids: [MISSING],
      folder_id: MISSING,
      phone_number_id: MISSING,
      tools: [{ type: 'end_call' }, calendar({ extcal_endpoint: 'custom' })],
    }).expect(422);
    expect(Object.keys(body.errors).sort()).toEqual([
      'allow_interruptions',
      'fillers',
      'folder_id',
      'knowledgebase_mode',
      'multimodal_model_id',
      'phone_number_id',
      'tool_ids',
      'tools.1.extcal_custom_endpoint',
      'voice_id',
      'webhook_url',
    ]);
  });

  it('ignores unknown fields and the ones it assigns itself', async () => {
    const id = await created({ id: 99_999, status: 'active', user_id: stranger.userId, color: 'blue' });
    const body = await read(id);
    expect(body).toMatchObject({ status: 'inactive', user_id: account.userId });
    expect(body).not.toHaveProperty('color');
    expect(id).not.toBe(99_999);
  });

  it('needs a token', async () => {
    const { body } = await app.http.post('/api/user/assistant').send(assistantBody()).expect(401);
    expect(body).toEqual({ message: expect.any(String) });
  });

  // spec: service.attach-knowledge-bases, create-assistant.phone_number_id, create-assistant.tool_ids
  it('treats another account’s knowledge base, folder, number and tool as missing', async () => {
    const tool = await createTool(app, stranger);
    const { body } = await create({
      knowledgebase_id: await knowledgebase(stranger),
      folder_id: await folder(stranger),
      phone_number_id: await number(stranger),
      tool_ids: [tool],
      tools: [warmTransfer(await number(stranger))],
    }).expect(422);
    expect(Object.keys(body.errors).sort()).toEqual([
      'folder_id',
      'knowledgebase_id',
      'phone_number_id',
      'tool_ids',
      'tools.0.outbound_phone_id',
    ]);
  });
});

const warmTransfer = (outboundPhoneId: number, overrides: Body = {}) => ({
  type: 'warm_call_transfer',
  supervisor_phone: '+5511987654321',
  outbound_phone_id: outboundPhoneId,
  description: 'Quando pedirem um gerente',
  ...overrides,
});

describe('Built-in tools', () => {
  // spec: built-in-tools.call_transfer-description-custom
  // spec: built-in-tools.call_transfer-warm_transfer-boolean, built-in-tools.custom_sip
  // spec: built-in-tools.caller_id_mode, built-in-tools.hold_music, built-in-tools.hold_music_volume
  // spec: built-in-tools.hold_message, built-in-tools.summary_instructions
  // spec: built-in-tools.briefing_initial_message, built-in-tools.connected_message
  // spec: built-in-tools.collect_keypad, built-in-tools.extcal_endpoint
  it('have their defaults, those that are spoken in the assistant’s language', async () => {
    const phone = await number();
    const id = await created({
      tools: [
        transfer(),
        warmTransfer(phone),
        { type: 'end_call' },
        { type: 'dtmf_input' },
        { type: 'collect_keypad' },
        calendar({ extcal_booking_fields: [{ slug: 'email', type: 'email', label: 'E-mail' }] }),
      ],
    });
    const { tools } = await read(id);
    expect(tools).toEqual([
      {
        ...transfer(),
        description: null,
        custom: false,
        timezone: null,
        warm_transfer: false,
        warm_transfer_message: null,
      },
      {
        ...warmTransfer(phone),
        custom_sip: false,
        caller_id_mode: 'outbound_number',
        custom_caller_id: null,
        hold_music: 'hold_music',
        hold_music_volume: 80,
        hold_message: 'Um momento, por favor. Vou transferir você para um supervisor.',
        summary_instructions: expect.stringContaining('2 a 3 frases'),
        briefing_initial_message: expect.stringContaining('resumo'),
        connected_message: 'Você está agora em contato com um supervisor.',
      },
      { type: 'end_call', description: null },
      { type: 'dtmf_input', description: null },
      { type: 'collect_keypad', timeout: 5, stop_key: '#' },
      {
        ...calendar({ extcal_api_key: '••••abcd' }),
        extcal_team_slug: null,
        extcal_endpoint: 'us',
        extcal_custom_endpoint: null,
        extcal_booking_fields: [
          { slug: 'email', type: 'email', label: 'E-mail', required: false, options: [] },
        ],
        description: null,
      },
    ]);
    await update(id, { language_id: ENGLISH }).expect(200);
    expect((await read(id)).tools[1].connected_message).toBe('You are now connected to a supervisor.');
  });

  const refusedTransfers: [string, string, Body][] = [
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    ['supervisor_phone is there', 'supervisor_phone', { supervisor_phone: undefined }],
    ['supervisor_phone is a number', 'supervisor_phone', { supervisor_phone: 'sip:boss@example.com' }],
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    [
      'supervisor_phone is a SIP address or extension with custom_sip',
      'supervisor_phone',
      { custom_sip: true, supervisor_phone: 'two words' },
    ],
    [
      'supervisor_phone leads to no private address',
      'supervisor_phone',
      { custom_sip: true, supervisor_phone: 'sip:boss@10.1.2.3:5060' },
    ],
    // spec: built-in-tools.outbound_phone_id
    ['outbound_phone_id is there', 'outbound_phone_id', { outbound_phone_id: undefined }],
    // spec: built-in-tools.outbound_phone_id
    ['outbound_phone_id exists', 'outbound_phone_id', { outbound_phone_id: MISSING }],
    // spec: built-in-tools.description
    ['description is there', 'description', { description: undefined }],
    // spec: built-in-tools.caller_id_mode
    ['caller_id_mode is one of three', 'caller_id_mode', { caller_id_mode: 'hidden' }],
    // spec: built-in-tools.custom_caller_id
    [
      'custom_caller_id is there when caller_id_mode is custom',
      'custom_caller_id',
      { caller_id_mode: 'custom' },
    ],
    // spec: built-in-tools.hold_music
    ['hold_music is hold_music or none', 'hold_music', { hold_music: 'jazz' }],
    // spec: built-in-tools.hold_music_volume
    ['hold_music_volume is at least 0', 'hold_music_volume', { hold_music_volume: -1 }],
    // spec: built-in-tools.hold_music_volume
    ['hold_music_volume is at most 100', 'hold_music_volume', { hold_music_volume: 101 }],
    // spec: built-in-tools.custom_sip
    ['custom_sip is a boolean', 'custom_sip', { custom_sip: 'x' }],
    // spec: built-in-tools.hold_message
    ['hold_message is a string', 'hold_message', { hold_message: 1 }],
  ];
  it.each(refusedTransfers)('warm_call_transfer is refused unless %s', async (_rule, field, overrides) => {
    const tools = [{ type: 'end_call' }, warmTransfer(await number(), overrides)];
    const { body } = await create({ tools }).expect(422);
    expect(Object.keys(body.errors)).toEqual([`tools.1.${field}`]);
  });

  it.each<[string, Body]>([
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    ['an extension with custom_sip', { custom_sip: true, supervisor_phone: '2001' }],
    // spec: built-in-tools.warm_call_transfer-supervisor_phone
    ['a SIP address with custom_sip', { custom_sip: true, supervisor_phone: 'sip:boss@pbx.example.com' }],
    // spec: built-in-tools.caller_id_mode
    ['caller_id_mode customer_number', { caller_id_mode: 'customer_number' }],
    // spec: built-in-tools.custom_caller_id
    [
      'caller_id_mode custom with its number',
      { caller_id_mode: 'custom', custom_caller_id: '+551140028922' },
    ],
    ['no hold music, volume 0', { hold_music: 'none', hold_music_volume: 0 }],
    [
      'volume 100 and own words',
      {
        hold_music_volume: 100,
        hold_message: 'a',
        summary_instructions: 'b',
        briefing_initial_message: 'c',
        connected_message: 'd',
      },
    ],
  ])('warm_call_transfer takes %s', async (_rule, overrides) => {
    const tool = warmTransfer(await number(), overrides);
    expect((await read(await created({ tools: [tool] }))).tools[0]).toMatchObject(tool);
  });

  describe('numbers of transfers', () => {
    const takenTools = async (id: number) => {
      const runtime = await app.app.get(AssistantsService).findRuntime(account.userId, id);
      return (await app.app.get(AssistantSnapshotsService).take(runtime!)).builtinTools;
    };
    const store = (id: number, tools: Body[]) =>
      app.query("UPDATE assistants SET config = jsonb_set(config, '{tools}', $2) WHERE id = $1", [
        id,
        JSON.stringify(tools),
      ]);

    it('without a country code are numbers of the account’s country, and are kept in E.164', async () => {
      const german = await app.account();
      await app
        .as(german)
        .put('/api/user/settings')
        .send({ country: 'DE', timezone: 'Europe/Berlin' })
        .expect(200);
      const written = { custom_caller_id: '030 901820', caller_id_mode: 'custom' };
      const tools = [
        transfer({ phone_number: '(030) 90182-0' }),
        warmTransfer(await number(german), { supervisor_phone: '+55 (11) 98765-4321', ...written }),
      ];
      const { tools: kept } = await read(await created({ tools }, german), german);
      expect(kept[0]).toMatchObject({ phone_number: '+4930901820' });
      expect(kept[1]).toMatchObject({ supervisor_phone: '+5511987654321', custom_caller_id: '+4930901820' });

      const id = await created({ tools: [transfer({ phone_number: '(11) 98765-4321' })] });
      expect((await read(id)).tools[0].phone_number).toBe('+5511987654321');
    });

    it.each(['987654321', '190', '2001'])(
      'stay as they are written where they are none: %s',
      async (target) => {
        const warm = warmTransfer(await number(), { supervisor_phone: target });
        const id = await created({ tools: [transfer({ phone_number: target }), warm] });
        expect((await read(id)).tools).toMatchObject([
          { phone_number: target },
          { supervisor_phone: target },
        ]);
      },
    );

    it('that were stored as they were written are dialled in E.164, and kept so once they are sent back', async () => {
      const id = await created();
      await store(id, [transfer({ phone_number: '2001' }), transfer({ phone_number: '11 98765-4321' })]);
      expect(await takenTools(id)).toMatchObject([
        { phone_number: '2001' },
        { phone_number: '+5511987654321' },
      ]);
      const { tools } = await read(id);
      await update(id, { tools }).expect(200);
      expect((await read(id)).tools).toMatchObject([
        { phone_number: '2001' },
        { phone_number: '+5511987654321' },
      ]);
    });
  });

  // spec: built-in-tools.extcal_team_slug, built-in-tools.extcal_booking_fields-slug-type
  // spec: built-in-tools.description-when-offer
  it('calendar_integration takes an endpoint of one’s own, a team and booking fields of all kinds', async () => {
    const tool = calendar({
      extcal_endpoint: 'custom',
      extcal_custom_endpoint: 'https://cal.example.com/api',
      extcal_team_slug: 'sales',
      extcal_booking_fields: [
        { slug: 'size', type: 'select', label: 'Tamanho', required: true, options: ['P', 'M'] },
      ],
      description: 'Quando pedirem uma visita',
    });
    expect((await read(await created({ tools: [tool] }))).tools).toEqual([
      { ...tool, extcal_api_key: '••••abcd' },
    ]);
  });

  describe('extcal_api_key', () => {
    const runtimeKeys = async (id: number) => {
      const runtime = await app.app.get(AssistantsService).findRuntime(account.userId, id);
      return runtime!.config.tools.map((tool) => tool.type === 'calendar_integration' && tool.extcal_api_key);
    };

    it('is unreadable in the database and masked when read, and open for the runtime alone', async () => {
      const id = await created({ tools: [calendar()] });
      const rows = await app.app.get(Database).query('SELECT * FROM assistants WHERE id = $1', [id]);
      expect(JSON.stringify(rows)).not.toContain('cal_live');
      expect(JSON.stringify(await read(id))).not.toContain('cal_live');
      expect(await runtimeKeys(id)).toEqual(['cal_live_0123456789abcd']);
    });

    it('stays as it is when its masked form is sent back, wherever in the list', async () => {
      const id = await created({
        tools: [
          calendar(),
          calendar({ extcal_api_key: 'cal_live_second_key_wxyz', extcal_event_slug: 'call' }),
        ],
      });
      const { tools } = await read(id);
      await update(id, { tools: [{ type: 'end_call' }, tools[1], tools[0]] }).expect(200);
      expect(await runtimeKeys(id)).toEqual([false, 'cal_live_second_key_wxyz', 'cal_live_0123456789abcd']);
    });

    it('is not sent to another endpoint by an update that does not know it', async () => {
      const id = await created({ tools: [calendar()] });
      const [tool] = (await read(id)).tools;
      const stolen = {
        ...tool,
        extcal_endpoint: 'custom',
        extcal_custom_endpoint: 'https://evil.example.com',
      };
      const { body } = await update(id, { tools: [stolen] }).expect(422);
      expect(Object.keys(body.errors)).toEqual(['tools.0.extcal_api_key']);
      expect(await runtimeKeys(id)).toEqual(['cal_live_0123456789abcd']);
    });

    it('is forgotten with its tool', async () => {
      const id = await created({ tools: [calendar()] });
      await update(id, { tools: [] }).expect(200);
      const [row] = await app.app
        .get(Database)
        .query<Body>('SELECT sealed_calendar_keys FROM assistants WHERE id = $1', [id]);
      expect(row).toEqual({ sealed_calendar_keys: null });
    });
  });
});

describe('No request makes a fault', () => {
  const HOSTILE: readonly unknown[] = [
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    '',
    ' ',
    'x',
    '\u202e',
    '{{name}}',
    [],
    [null],
    [[]],
    [[[]]],
    [{}],
    ['x'],
    [1],
    {},
    { toString: 1 },
    { constructor: 1 },
    { length: 3 },
    JSON.parse('{"__proto__":{"type":"end_call"}}'),
  ];
  const FAULTS = (answers: readonly { status: number }[]) => answers.filter(({ status }) => status >= 500);

  it('whatever a field holds, at creation and in an update', async () => {
    const id = await created();
    const fields = Object.keys(await read(id)).filter((name) => !['id', 'uuid', 'user_id'].includes(name));
    for (const field of fields) {
      const answers = await Promise.all(
        HOSTILE.flatMap((value) => [create({ [field]: value }), update(id, { [field]: value })]),
      );
      expect([field, FAULTS(answers)]).toEqual([field, []]);
    }
    await read(id);
  }, 120_000);

  it('whatever a field of a built-in tool holds', async () => {
    const tools = [
      transfer(),
      warmTransfer(await number()),
      { type: 'collect_keypad' },
      calendar({ extcal_booking_fields: [] }),
    ];
    for (const tool of tools) {
      const id = await created({ tools: [tool] });
      const [complete] = (await read(id)).tools;
      const answers = await Promise.all(
        Object.keys(complete).flatMap((name) =>
          HOSTILE.map((value) => update(id, { tools: [{ ...tool, [name]: value }] })),
        ),
      );
      expect(FAULTS(answers)).toEqual([]);
      await read(id);
    }
  }, 120_000);
});

describe('What is deleted while it is being attached', () => {
  it.each<[string, () => void]>([
    ['knowledgebase_id', () => claimToFind(KnowledgebasesService)],
    ['folder_id', () => claimToFind(FoldersService)],
    ['phone_number_id', () => claimToFind(PhoneNumbersService)],
  ])('is answered as missing: %s', async (field, claim) => {
    claim();
    const { body } = await create({ [field]: MISSING }).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    const id = await created();
    claim();
    await update(id, { [field]: MISSING }).expect(422);
    expect(await read(id)).toMatchObject({ [field]: null });
  });

  it('is answered as missing: tool_ids', async () => {
    const tool = await createTool(app, await app.account());
    const tools = app.app.get(ToolsService);
    const id = await created();
    jest.spyOn(tools, 'namesOf').mockResolvedValueOnce(new Map([[tool, 'get_weather']]));
    const { body } = await update(id, { tool_ids: [tool], name: 'Outro' }).expect(422);
    expect(Object.keys(body.errors)).toEqual(['tool_ids']);
    expect(await read(id)).toMatchObject({ tool_ids: [], name: 'Recepção' });
  });
});

/** Once, the service finds what is not there any more when it is written. */
function claimToFind(
  service: typeof KnowledgebasesService | typeof FoldersService | typeof PhoneNumbersService,
): void {
  const instance = app.app.get<{ find: () => Promise<unknown> }>(service);
  jest.spyOn(instance, 'find').mockResolvedValueOnce({ id: MISSING, type: 'normal' });
}

describe('phone_number_id', () => {
  // spec: create-assistant.inbound-number-must
  it('is refused for inbound when the number is of the Caller ID type, and accepted for outbound', async () => {
    const callerId = await number(account, 'caller_id');
    const { body } = await create({ phone_number_id: callerId }).expect(422);
    expect(body.errors).toEqual({
      phone_number_id: ['Um número do tipo Caller ID não pode receber chamadas.'],
    });
    await create({ type: 'outbound', phone_number_id: callerId }).expect(201);
  });

  // spec: create-assistant.inbound-number-must-not
  it('is refused when another inbound assistant has the number, and accepted for outbound ones', async () => {
    const phone = await number();
    const first = await created({ phone_number_id: phone });
    const { body } = await create({ phone_number_id: phone }).expect(422);
    expect(body.errors).toEqual({
      phone_number_id: ['Este número já está atribuído a outro assistente de entrada.'],
    });
    const outbound = await created({ type: 'outbound', phone_number_id: phone });
    await create({ type: 'outbound', phone_number_id: phone }).expect(201);
    await update(first, { phone_number_id: phone, name: 'Outra' }).expect(200);
    const turned = await update(outbound, { type: 'inbound' }).expect(422);
    expect(Object.keys(turned.body.errors)).toEqual(['phone_number_id']);
    await update(first, { phone_number_id: null }).expect(200);
    await update(outbound, { type: 'inbound' }).expect(200);
  });

  // spec: create-assistant.inbound-number-must-not
  it('goes to exactly one of 50 simultaneous inbound assistants', async () => {
    const phone = await number();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ phone_number_id: phone })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const losers = answers.filter(({ status }) => status === 422);
    expect(losers).toHaveLength(49);
    expect(losers.map(({ body }) => Object.keys(body.errors))).toEqual(losers.map(() => ['phone_number_id']));
    const holders = (await list('')).filter(({ phone_number_id: id }) => id === phone);
    expect(holders).toHaveLength(1);
  });

  it('goes to exactly one of 20 simultaneous updates, and leaves the others as they were', async () => {
    const phone = await number();
    const ids = await Promise.all(Array.from({ length: 20 }, () => created()));
    const answers = await Promise.all(ids.map((id) => update(id, { phone_number_id: phone })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 422),
    ]);
  });

  it('becomes null when the number is deleted', async () => {
    const phone = await number();
    const id = await created({ phone_number_id: phone });
    await remove('phone_numbers', phone);
    expect(await read(id)).toMatchObject({ phone_number_id: null });
  });
});

describe('knowledge base', () => {
  it('is used by function_call unless prompt is asked for', async () => {
    const base = await knowledgebase();
    expect(await read(await created({ knowledgebase_id: base }))).toMatchObject({
      knowledgebase_mode: 'function_call',
    });
    expect(await read(await created({ ...MULTIMODAL, knowledgebase_id: base }))).toMatchObject({
      knowledgebase_mode: 'function_call',
    });
  });

  // spec: delete-knowledge-base.every-assistant-used
  it('leaves the assistant working without reference or mode when it is deleted', async () => {
    const base = await knowledgebase();
    const id = await created({ knowledgebase_id: base, knowledgebase_mode: 'prompt' });
    await remove('knowledgebases', base);
    expect(await read(id)).toMatchObject({
      knowledgebase_id: null,
      knowledgebase_mode: null,
      name: 'Recepção',
    });
    await update(id, { name: 'Outro' }).expect(200);
  });
});

describe('Tools of one name on an assistant', () => {
  let owner: TestAccount;
  beforeEach(async () => {
    owner = await app.account();
  });

  const toolsNamed = (...names: string[]) =>
    Promise.all(names.map((name) => createTool(app, owner, { name })));
  const rename = (id: number | undefined, name: string) =>
    app.as(owner).put(`/api/user/tools/${id}`).send({ name });

  it('are refused when it is created and when it is updated', async () => {
    const ids = await toolsNamed('find_order', 'find_order');
    const refusal = {
      message: 'O campo tool_ids tem duas ferramentas com o nome find_order.',
      errors: { tool_ids: ['O campo tool_ids tem duas ferramentas com o nome find_order.'] },
    };
    expect((await create({ tool_ids: ids }, owner).expect(422)).body).toEqual(refusal);
    const id = await created({ tool_ids: ids.slice(0, 1) }, owner);
    expect((await update(id, { tool_ids: ids }, owner).expect(422)).body).toEqual(refusal);
    expect(await read(id, owner)).toMatchObject({ tool_ids: ids.slice(0, 1) });
  });

  it.each(['end_call', 'transfer_call', 'search_knowledge_base', 'find_free_times_consulta'])(
    'are refused when the other one is built in: %s',
    async (name) => {
      const { body } = await create({ tool_ids: await toolsNamed(name) }, owner).expect(422);
      expect(body.errors).toEqual({ tool_ids: [expect.stringContaining('ferramenta interna')] });
    },
  );

  it('do not come about by a new name either', async () => {
    const [first, second, apart] = await toolsNamed('first_order', 'second_order', 'third_order');
    await created({ tool_ids: [first, second] }, owner);
    expect((await rename(second, 'first_order').expect(422)).body.errors).toEqual({
      name: [expect.stringContaining('já tem outra com este nome')],
    });
    expect((await rename(second, 'end_call').expect(422)).body.errors).toEqual({
      name: [expect.stringContaining('ferramenta interna')],
    });
    await rename(second, 'second_order').expect(200);
    await rename(apart, 'first_order').expect(200);
    await rename(apart, 'end_call').expect(200);
  });

  it('do not come about by two new names at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      owner = await app.account();
      const ids = await toolsNamed('left_order', 'right_order');
      await created({ tool_ids: ids }, owner);
      const answers = await Promise.all(ids.map((id) => rename(id, 'one_order')));
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 422]);
    }
  });
});

describe('Update assistant', () => {
  // spec: states.assistant-transitions-not, update-assistant.method-path-rest
  it('changes only the fields that are sent', async () => {
    const tool = await createTool(app, (stranger = await app.account()));
    const id = await created({ max_duration: 900, variables: { a: 1 }, tool_ids: [tool] }, stranger);
    const before = await read(id, stranger);
    const { body } = await update(id, { name: 'Vendas', status: 'active' }, stranger).expect(200);
    expect(body).toEqual({
      message: 'Assistente atualizado com sucesso',
      data: { id, name: 'Vendas', status: 'active', type: 'inbound', mode: 'pipeline' },
    });
    expect(await read(id, stranger)).toEqual({
      ...before,
      name: 'Vendas',
      status: 'active',
      updated_at: expect.stringMatching(ISO),
    });
  });

  it('changes nothing when nothing is sent', async () => {
    const id = await created();
    const { updated_at: _before, ...before } = await read(id);
    await update(id, {}).expect(200);
    expect(await read(id)).toMatchObject(before);
  });

  // spec: assistant.fields-returned-read
  it('takes back what was read', async () => {
    const id = await created({
      tools: [transfer(), calendar()],
      knowledgebase_id: await knowledgebase(),
      fillers: true,
    });
    const { updated_at: _updated, ...before } = await read(id);
    await update(id, before).expect(200);
    expect(await read(id)).toMatchObject(before);
  });

  it('clears optional fields with null, and brings back their default where there is one', async () => {
    const id = await created({
      phone_number_id: await number(),
      knowledgebase_id: await knowledgebase(),
      folder_id: await folder(),
      webhook_url: 'https://example.com/hook',
      conversation_ended_webhook_url: 'https://example.com/ended',
      chat_llm_fallback_id: OTHER_LLM,
      synthesizer_provider_id: ELEVENLABS,
      transcriber_provider_id: GLADIA,
      reengagement_prompt: 'a',
      voice_mail_message: 'b',
      monitoring_announcement: { text: 'c', tone: true },
      max_initial_silence_duration: 9,
      min_interrupt_words: 2,
      max_duration: 700,
      ambient_sound: 'cafe',
    });
    const cleared = {
      phone_number_id: null,
      knowledgebase_id: null,
      folder_id: null,
      webhook_url: null,
      conversation_ended_webhook_url: null,
      chat_llm_fallback_id: null,
      reengagement_prompt: null,
      voice_mail_message: null,
      monitoring_announcement: null,
      max_initial_silence_duration: null,
      min_interrupt_words: null,
    };
    const automatic = {
      synthesizer_provider_id: null,
      transcriber_provider_id: null,
      max_duration: null,
      ambient_sound: null,
    };
    await update(id, { ...cleared, ...automatic }).expect(200);
    expect(await read(id)).toMatchObject({
      ...cleared,
      synthesizer_provider_id: OPENAI_SYNTHESIZER,
      transcriber_provider_id: DEEPGRAM,
      max_duration: 600,
      ambient_sound: 'off',
    });
  });

  it.each([
    'name',
    'voice_id',
    'language_id',
    'type',
    'mode',
    'timezone',
    'initial_message',
    'system_prompt',
    'status',
  ])('does not clear %s', async (field) => {
    const { body } = await update(await created(), { [field]: null }).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  // spec: create-tool.tool-attached-through, update-assistant.accepts-tool_ids-add
  it('replaces lists and objects as a whole, and an empty one clears', async () => {
    const owner = await app.account();
    const [first, second, third] = [
      await createTool(app, owner, { name: 'first' }),
      await createTool(app, owner, { name: 'second' }),
      await createTool(app, owner, { name: 'third' }),
    ];
    const id = await created(
      {
        tool_ids: [first, second],
        tools: [transfer(), { type: 'end_call' }],
        secondary_language_ids: [ENGLISH],
        variables: { a: 1, b: 2 },
        post_call_schema: [postCall()],
        filler_config: { positive: ['Legal!'] },
      },
      owner,
    );
    await update(
      id,
      { tool_ids: [third, first], tools: [{ type: 'dtmf_input' }], variables: { c: 3 } },
      owner,
    ).expect(200);
    expect(await read(id, owner)).toMatchObject({
      tool_ids: [third, first],
      tools: [{ type: 'dtmf_input' }],
      secondary_language_ids: [ENGLISH],
    });
    expect((await read(id, owner)).variables).toEqual({ c: 3 });
    await update(
      id,
      {
        tool_ids: [],
        tools: [],
        secondary_language_ids: [],
        variables: {},
        post_call_schema: [],
        filler_config: {},
      },
      owner,
    ).expect(200);
    const emptied = await read(id, owner);
    expect(emptied).toMatchObject({
      tool_ids: [],
      tools: [],
      secondary_language_ids: [],
      post_call_schema: [],
    });
    expect(emptied.variables).toEqual({});
    expect(emptied.filler_config.positive).toEqual(['Que bom!', 'Ótimo.']);
  });

  it('resets the settings of the mode that is left', async () => {
    const id = await created({
      knowledgebase_id: await knowledgebase(),
      knowledgebase_mode: 'prompt',
      allow_interruptions: false,
      fillers: true,
      filler_config: { positive: ['Legal!'] },
      transcriber_provider_id: GLADIA,
      synthesizer_provider_id: ELEVENLABS,
      max_duration: 900,
    });
    await update(id, {
      mode: 'multimodal',
      multimodal_model_id: REALTIME,
      turn_detection_threshold: 0.3,
      chat_llm_fallback_id: LLM,
    }).expect(200);
    expect(await read(id)).toMatchObject({
      mode: 'multimodal',
      llm_model_id: null,
      multimodal_model_id: REALTIME,
      turn_detection_threshold: 0.3,
      knowledgebase_mode: 'function_call',
      allow_interruptions: true,
      fillers: false,
      transcriber_provider_id: null,
      synthesizer_provider_id: null,
      max_duration: 900,
    });
    await update(id, { mode: 'dualplex' }).expect(200);
    expect(await read(id)).toMatchObject({ multimodal_model_id: REALTIME, turn_detection_threshold: 0.3 });
    await update(id, { mode: 'pipeline', llm_model_id: OTHER_LLM }).expect(200);
    expect(await read(id)).toMatchObject({
      llm_model_id: OTHER_LLM,
      multimodal_model_id: null,
      chat_llm_fallback_id: null,
      turn_detection_threshold: null,
      transcriber_provider_id: DEEPGRAM,
    });
  });

  it.each<[string, Body, string, Body]>([
    ['the model of a new mode', {}, 'multimodal_model_id', { mode: 'multimodal' }],
    ['the model of pipeline', MULTIMODAL, 'llm_model_id', { mode: 'pipeline' }],
    [
      'a voice compatible with a new mode',
      { voice_id: PIPELINE_VOICE },
      'voice_id',
      { mode: 'multimodal', multimodal_model_id: REALTIME },
    ],
    [
      'a voice offered for a new language',
      { voice_id: ELEVENLABS_VOICE },
      'voice_id',
      { language_id: ICELANDIC },
    ],
    [
      'a provider offered for a new language',
      { transcriber_provider_id: DEEPGRAM },
      'transcriber_provider_id',
      { language_id: ICELANDIC },
    ],
    ['interruptions on in dualplex', DUALPLEX, 'allow_interruptions', { allow_interruptions: false }],
    ['function_call in multimodal', MULTIMODAL, 'knowledgebase_mode', { knowledgebase_mode: 'prompt' }],
    ['fillers off in multimodal', MULTIMODAL, 'fillers', { fillers: true }],
    ['a URL for the webhook that becomes active', {}, 'webhook_url', { is_webhook_active: true }],
    [
      'the URL of an active webhook',
      { is_webhook_active: true, webhook_url: 'https://example.com' },
      'webhook_url',
      { webhook_url: null },
    ],
    ['status inactive or active', {}, 'status', { status: 'paused' }],
    ['max_duration in its range', {}, 'max_duration', { max_duration: 1201 }],
  ])('needs %s', async (_rule, overrides, field, change) => {
    const id = await created(overrides);
    const before = await read(id);
    const { body } = await update(id, change).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(await read(id)).toEqual(before);
  });

  it('takes the other multimodal model', async () => {
    const id = await created(MULTIMODAL);
    await update(id, { multimodal_model_id: OTHER_REALTIME }).expect(200);
    expect(await read(id)).toMatchObject({ multimodal_model_id: OTHER_REALTIME });
  });

  it('answers 404 for a missing assistant and for another account’s, and changes nothing', async () => {
    const id = await created();
    const other = await app.account();
    for (const target of [MISSING, id]) {
      const { body } = await update(target, { name: 'Meu' }, other).expect(404);
      expect(body).toEqual({ message: 'Assistente não encontrado' });
    }
    expect(await read(id)).toMatchObject({ name: 'Recepção' });
  });

  it('loses no change among simultaneous updates of different fields', async () => {
    const id = await created();
    await Promise.all([
      update(id, { name: 'A' }).expect(200),
      update(id, { max_duration: 700 }).expect(200),
      update(id, { variables: { a: 1 } }).expect(200),
      update(id, { record: true }).expect(200),
    ]);
    expect(await read(id)).toMatchObject({ name: 'A', max_duration: 700, variables: { a: 1 }, record: true });
  });
});

describe('Read and delete assistant', () => {
  it('answers 404 for what is missing, another account’s, or no id', async () => {
    const id = await created();
    const other = await app.account();
    for (const target of [id, MISSING, 'abc', '0', '-1', '99999999999999']) {
      for (const method of ['get', 'delete'] as const) {
        const { body } = await app.as(other)[method](`/api/user/assistant/${target}`).expect(404);
        expect(body).toEqual({ message: 'Assistente não encontrado' });
      }
    }
    await read(id);
  });

  it('deletes the assistant and frees its number', async () => {
    const phone = await number();
    const id = await created({ phone_number_id: phone });
    const { body } = await app.as(account).delete(`/api/user/assistant/${id}`).expect(200);
    expect(body).toEqual({ message: 'Assistente excluído com sucesso' });
    await app.as(account).get(`/api/user/assistant/${id}`).expect(404);
    await create({ phone_number_id: phone }).expect(201);
  });
});

describe('Lists', () => {
  let owner: TestAccount;
  const ids: number[] = [];

  beforeAll(async () => {
    owner = await app.account();
    for (let index = 0; index < 12; index++) {
      ids.unshift(
        await created({ name: `A${index}`, type: index % 3 === 0 ? 'outbound' : 'inbound' }, owner),
      );
    }
  });

  it('has 10 full assistants a page by default, newest first', async () => {
    const { body } = await app.as(owner).get('/api/user/assistants/get').expect(200);
    expect(body).toMatchObject({ current_page: 1, per_page: 10, total: 12, last_page: 2, from: 1, to: 10 });
    expect(body.data.map(({ id }: Body) => id)).toEqual(ids.slice(0, 10));
    expect(body.data[0]).toEqual(await read(ids[0]!, owner));
    expect(body.next_page_url).toMatch(/\/api\/user\/assistants\/get\?page=2$/);
  });

  it('takes per_page, page and type, and keeps them in the URLs', async () => {
    const { body } = await app
      .as(owner)
      .get('/api/user/assistants/get?type=outbound&per_page=3&page=2')
      .expect(200);
    expect(body).toMatchObject({ current_page: 2, per_page: 3, total: 4, to: 4 });
    expect(body.data).toHaveLength(1);
    expect(body.first_page_url).toContain('type=outbound');
  });

  it.each(['per_page=0', 'per_page=101', 'page=0', 'type=both', 'per_page=x'])(
    'refuses %s',
    async (query) => {
      const { body } = await app.as(owner).get(`/api/user/assistants/get?${query}`).expect(422);
      expect(Object.keys(body.errors)).toEqual([query.split('=')[0]]);
    },
  );

  it('answers a bare array of all, newest first', async () => {
    const body = await list('', owner);
    expect(body.map(({ id }) => id)).toEqual(ids);
    expect(body[0]).toEqual(await read(ids[0]!, owner));
  });

  it('answers a bare array of the outbound ones in their reduced form', async () => {
    const body = await list('/outbound', owner);
    expect(body).toHaveLength(4);
    expect(Object.keys(body[0]!).sort()).toEqual(
      [
        'id',
        'user_id',
        'name',
        'type',
        'mode',
        'status',
        'voice_id',
        'language_id',
        'timezone',
        'initial_message',
        'system_prompt',
        'variables',
        'webhook_url',
        'is_webhook_active',
        'created_at',
        'updated_at',
      ].sort(),
    );
    expect(new Set(body.map(({ type }) => type))).toEqual(new Set(['outbound']));
  });

  it('ends where an answer has 16 MB of settings, and refuses a page with more', async () => {
    const large = await app.account();
    const newest: number[] = [];
    for (let index = 0; index < 18; index++) newest.unshift(await created({}, large));
    // Compressed, as the database keeps them, these are some kilobytes.
    await app.query(
      `UPDATE assistants SET config = config || jsonb_build_object('variables', jsonb_build_object('notes', repeat('Atenda. ', 125000)))
       WHERE user_id = $1`,
      [large.userId],
    );
    expect((await list('', large)).map(({ id }) => id)).toEqual(newest.slice(0, 16));
    const page = (query: string) => app.as(large).get(`/api/user/assistants/get?${query}`);
    expect(Object.keys((await page('per_page=17').expect(422)).body.errors)).toEqual(['per_page']);
    const { body } = await page('per_page=17&page=2').expect(200);
    expect(body.data.map(({ id }: Body) => id)).toEqual(newest.slice(17));
  });

  it('shows no other account’s assistants', async () => {
    const other = await app.account();
    expect(await list('', other)).toEqual([]);
    expect(await list('/outbound', other)).toEqual([]);
    const { body } = await app.as(other).get('/api/user/assistants/get').expect(200);
    expect(body).toMatchObject({ data: [], total: 0, from: null, to: null });
  });
});

describe('Webhook switches', () => {
  const post = (path: string, body: Body, owner = account) =>
    app.as(owner).post(`/api/user/assistants/${path}`).send(body);
  const url = 'https://example.com/hook';
  const switches: [string, string, Body, Body][] = [
    [
      'webhook',
      'Webhook',
      { is_webhook_active: true, webhook_url: url },
      { is_webhook_active: false, webhook_url: null },
    ],
    // spec: disable-inbound-webhook.success, disable-inbound-webhook.effect-stops-delivery
    // spec: events.when-inbound-webhook, events.payload-shapes-how
    [
      'inbound-webhook',
      'Webhook de chamadas recebidas',
      { inbound_webhook_url: url },
      { inbound_webhook_url: null },
    ],
    // spec: create-assistant.conversation_ended_webhook_url
    [
      'conversation-ended-webhook',
      'Webhook de conversa encerrada',
      { conversation_ended_webhook_url: url },
      { conversation_ended_webhook_url: null },
    ],
  ];

  it.each(switches)(
    'enable-%s and its opposite set and clear it: %s',
    async (name, label, enabled, disabled) => {
      const id = await created();
      const on = await post(`enable-${name}`, { assistant_id: id, webhook_url: url }).expect(200);
      expect(on.body).toEqual({ message: `${label} ativado com sucesso`, data: [] });
      expect(await read(id)).toMatchObject(enabled);
      const off = await post(`disable-${name}`, { assistant_id: id }).expect(200);
      expect(off.body).toEqual({ message: `${label} desativado com sucesso`, data: [] });
      expect(await read(id)).toMatchObject(disabled);
      await post(`disable-${name}`, { assistant_id: id }).expect(200);
    },
  );

  it('leave the inbound webhook alone when the assistant is updated', async () => {
    const id = await created();
    await post('enable-inbound-webhook', { assistant_id: id, webhook_url: url }).expect(200);
    await update(id, { name: 'Outro' }).expect(200);
    expect(await read(id)).toMatchObject({ inbound_webhook_url: url });
  });

  describe.each(switches.flatMap(([name]) => [`enable-${name}`, `disable-${name}`]))('%s', (path) => {
    // spec: disable-inbound-webhook.assistant-missing-not
    it('answers 404 with a message for a missing and for another account’s assistant', async () => {
      const id = await created();
      const other = await app.account();
      for (const target of [MISSING, id]) {
        const { body } = await post(path, { assistant_id: target, webhook_url: url }, other).expect(404);
        expect(body).toEqual({ message: 'Assistente não encontrado' });
      }
    });

    // spec: disable-inbound-webhook.assistant_id
    it('answers 422 with errors.assistant_id when it is missing or no integer', async () => {
      for (const assistantId of [undefined, null, 'x', 1.5]) {
        const { body } = await post(path, { assistant_id: assistantId, webhook_url: url }).expect(422);
        expect(Object.keys(body.errors)).toEqual(['assistant_id']);
      }
    });
  });

  it.each(switches)('enable-%s needs a webhook_url of http or https', async (name) => {
    const id = await created();
    for (const webhookUrl of [undefined, null, '', 'x', 'javascript:alert(1)', 'ftp://example.com']) {
      const { body } = await post(`enable-${name}`, { assistant_id: id, webhook_url: webhookUrl }).expect(
        422,
      );
      expect(Object.keys(body.errors)).toEqual(['webhook_url']);
    }
  });
});

describe('Assistant reference data', () => {
  // spec: language-and-folder.language-id-name, update-assistant.get-user-assistants
  it('lists the languages as a bare array of id, name and iso_2', async () => {
    const languages = await list('/languages');
    expect(languages.length).toBeGreaterThanOrEqual(35);
    expect(languages.slice(0, 2)).toEqual([
      { id: 1, name: 'Portuguese', iso_2: 'pt' },
      { id: 2, name: 'English', iso_2: 'en' },
    ]);
  });

  // spec: update-assistant.operations-list-voices
  it('lists the voices of a mode and a language, each of them accepted for an assistant', async () => {
    const voices = await list(`/voices?mode=multimodal&language_id=${ENGLISH}`);
    expect(voices[0]).toEqual({
      id: OPENAI_VOICE,
      name: 'Marin',
      language_id: ENGLISH,
      gender: 'female',
      preview_url: null,
      accent: null,
      age: null,
      synthesizer_provider_id: OPENAI_SYNTHESIZER,
      available: false,
      unavailable_reason: 'no_key',
    });
    for (const { id } of voices)
      await create({ ...MULTIMODAL, language_id: ENGLISH, voice_id: id }).expect(201);
    const all = await list('/voices');
    expect(all.length).toBeGreaterThan(voices.length);
    expect(all.find(({ id }) => id === OPENAI_VOICE)).toMatchObject({ language_id: null });
  });

  it('lists no voice for an unknown language, and refuses an unknown mode', async () => {
    expect(await list(`/voices?language_id=${MISSING}`)).toEqual([]);
    const { body } = await app.as(account).get('/api/user/assistants/voices?mode=simplex').expect(422);
    expect(Object.keys(body.errors)).toEqual(['mode']);
  });

  // spec: update-assistant.operations-list-voices
  it('lists the models of a type, llm by default; the others with their code', async () => {
    const llms = await list('/models');
    expect(llms).toEqual(await list('/models?type=llm'));
    expect(Object.keys(llms[0]!).sort()).toEqual(['id', 'name']);
    for (const type of ['multimodal', 'dualplex']) {
      const models = await list(`/models?type=${type}`);
      expect(models.map(({ id }) => id)).toEqual([REALTIME, OTHER_REALTIME]);
      expect(Object.keys(models[0]!).sort()).toEqual(['code', 'id', 'name']);
    }
    await app.as(account).get('/api/user/assistants/models?type=stt').expect(422);
  });

  // spec: update-assistant.operations-list-voices
  it.each(['synthesizer-providers', 'transcriber-providers'])(
    'lists the %s, by language where asked',
    async (path) => {
      const all = await list(`/${path}`);
      const forIcelandic = await list(`/${path}?language_id=${ICELANDIC}`);
      expect(Object.keys(all[0]!).sort()).toEqual(['code', 'id', 'name']);
      expect(all.map(({ id }) => id)).toContain(1);
      expect(forIcelandic.map(({ id }) => id)).not.toContain(1);
      expect(await list(`/${path}?language_id=${MISSING}`)).toEqual([]);
      await app.as(account).get(`/api/user/assistants/${path}?language_id=x`).expect(422);
    },
  );

  it.each([
    'languages',
    'voices',
    'models',
    'phone-numbers',
    'synthesizer-providers',
    'transcriber-providers',
    'get',
    'outbound',
    '',
  ])('/user/assistants/%s needs a token', async (path) => {
    const { body } = await app.http.get(`/api/user/assistants/${path}`).expect(401);
    expect(body).toEqual({ message: expect.any(String) });
  });

  // spec: update-assistant.operations-list-voices
  it('lists the numbers for inbound without Caller IDs and taken ones, and all of them for outbound', async () => {
    const owner = await app.account();
    const [free, taken, callerId] = [
      await number(owner),
      await number(owner, 'sip'),
      await number(owner, 'caller_id'),
    ];
    await number(stranger);
    await created({ phone_number_id: taken }, owner);
    const item = (id: number, label: string, isAvailable: boolean) => ({
      id,
      phone_number: expect.stringMatching(/^\+55119\d{8}$/),
      country_code: 'BR',
      type_label: label,
      is_available: isAvailable,
    });
    expect(await list('/phone-numbers?type=inbound', owner)).toEqual([item(free, 'Número dedicado', true)]);
    expect(await list('/phone-numbers?type=outbound', owner)).toEqual([
      item(free, 'Número dedicado', true),
      item(taken, 'Tronco SIP', true),
      item(callerId, 'Caller ID', true),
    ]);
    expect(await list('/phone-numbers', owner)).toEqual([
      item(free, 'Número dedicado', true),
      item(taken, 'Tronco SIP', false),
      item(callerId, 'Caller ID', false),
    ]);
    await app.as(owner).get('/api/user/assistants/phone-numbers?type=x').expect(422);
  });
});

describe('what the runtime is given', () => {
  const runtime = async (id: number, owner = account) =>
    (await app.app.get(AssistantsService).findRuntime(owner.userId, id))!;

  it('is found by uuid, and by the owner’s id', async () => {
    const id = await created();
    const { uuid } = await read(id);
    const byUuid = await app.app.get(AssistantsService).findByUuid(uuid);
    expect(byUuid).toEqual(await runtime(id));
    expect(byUuid).toMatchObject({ id, uuid, userId: account.userId, language: { name: 'Portuguese' } });
    expect(await app.app.get(AssistantsService).findRuntime((await app.account()).userId, id)).toBeNull();
  });

  it('has a version that changes with the assistant, its tools and its knowledge base, and with nothing else', async () => {
    const owner = await app.account();
    const tool = await createTool(app, owner);
    const base = await knowledgebase(owner);
    const id = await created({ tool_ids: [tool], knowledgebase_id: base }, owner);
    const versions = [(await runtime(id, owner)).version];
    const after = async (step: Promise<unknown>) => {
      await step;
      versions.push((await runtime(id, owner)).version);
    };
    expect((await runtime(id, owner)).version).toBe(versions[0]);
    await after(update(id, { name: 'Outro' }, owner).expect(200));
    await after(
      app
        .as(owner)
        .post('/api/user/assistants/enable-webhook')
        .send({ assistant_id: id, webhook_url: 'https://a.example' })
        .expect(200),
    );
    await after(app.as(owner).put(`/api/user/tools/${tool}`).send({ timeout: 3 }).expect(200));
    await after(app.as(owner).delete(`/api/user/tools/${tool}`).expect(200));
    await after(remove('knowledgebases', base));
    expect(new Set(versions).size).toBe(versions.length);
    expect((await runtime(id, owner)).toolIds).toEqual([]);
    expect(await read(id, owner)).toMatchObject({ tool_ids: [] });
  });

  // spec: create-assistant.chat_llm_fallback_id
  it('names the model that answers in chat: the LLM, the fallback LLM, or the first of the catalogue', async () => {
    const chatModel = async (overrides: Body) => (await runtime(await created(overrides))).chatModel.id;
    expect(await chatModel({ llm_model_id: OTHER_LLM })).toBe(OTHER_LLM);
    expect(await chatModel({ ...MULTIMODAL, chat_llm_fallback_id: OTHER_LLM })).toBe(OTHER_LLM);
    expect(await chatModel(DUALPLEX)).toBe(LLM);
  });
});
