import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestAccount, TestApp } from '../support/app.js';
import {
  AssistantsApi,
  type Body,
  calendar,
  callTransfer,
  CATALOG,
  DUALPLEX,
  MISSING,
  MULTIMODAL,
  warmTransfer,
} from '../support/assistants-api.js';
import { assistantBody, createTool } from '../support/builders.js';

const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let api: AssistantsApi;
let app: TestApp;
let account: TestAccount;
let stranger: TestAccount;

beforeAll(async () => {
  api = await AssistantsApi.start();
  ({ app, account, stranger } = api);
});
afterAll(() => api.app.stop());

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
    const { body } = await api.create().expect(201);
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
    const id = await api.created();
    expect(await api.read(id)).toEqual({
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
      synthesizer_provider_id: CATALOG.openaiSynthesizer,
      transcriber_provider_id: CATALOG.deepgram,
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
    const id = await api.created({ max_duration: null, record: null, tools: null, webhook_url: null });
    expect(await api.read(id)).toMatchObject({
      max_duration: 600,
      record: false,
      tools: [],
      webhook_url: null,
    });
  });

  // spec: service.create-configure-assistants, service.attach-knowledge-bases
  // spec: assistant.configuration-fields-request, create-tool.tool-attached-through
  // spec: create-assistant.secondary_language_ids, create-assistant.knowledgebase_id
  it('stores every field as sent, and reads it back', async () => {
    const sent = {
      ...assistantBody(),
      secondary_language_ids: [CATALOG.english, CATALOG.icelandic],
      chat_llm_fallback_id: CATALOG.otherLlm,
      turn_detection_threshold: 0.4,
      knowledgebase_id: await api.knowledgebase(),
      knowledgebase_mode: 'prompt',
      phone_number_id: await api.number(),
      folder_id: await api.folder(),
      tool_ids: [await createTool(app, account, { name: 'get_price' }), await createTool(app, account)],
      tts_emotion_enabled: false,
      voice_stability: 0.25,
      voice_similarity: 0.75,
      speech_speed: 1.15,
      llm_temperature: 0.55,
      synthesizer_provider_id: CATALOG.elevenlabs,
      transcriber_provider_id: CATALOG.gladia,
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
    expect(await api.read(await api.created(sent))).toMatchObject(sent);
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
    const { body } = await api
      .create({
        ...MULTIMODAL,
        multimodal_model_id: undefined,
        voice_id: CATALOG.pipelineVoice,
        allow_interruptions: false,
        knowledgebase_mode: 'prompt',
        fillers: true,
        is_webhook_active: true,
        tool_ids: [MISSING],
        folder_id: MISSING,
        phone_number_id: MISSING,
        tools: [{ type: 'end_call' }, calendar({ extcal_endpoint: 'custom' })],
      })
      .expect(422);
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
    const id = await api.created({ id: 99_999, status: 'active', user_id: stranger.userId, color: 'blue' });
    const body = await api.read(id);
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
    const { body } = await api
      .create({
        knowledgebase_id: await api.knowledgebase(stranger),
        folder_id: await api.folder(stranger),
        phone_number_id: await api.number(stranger),
        tool_ids: [tool],
        tools: [warmTransfer(await api.number(stranger))],
      })
      .expect(422);
    expect(Object.keys(body.errors).sort()).toEqual([
      'folder_id',
      'knowledgebase_id',
      'phone_number_id',
      'tool_ids',
      'tools.0.outbound_phone_id',
    ]);
  });
});

describe('Update assistant', () => {
  // spec: states.assistant-transitions-not, update-assistant.method-path-rest
  it('changes only the fields that are sent', async () => {
    const tool = await createTool(app, (stranger = await app.account()));
    const id = await api.created({ max_duration: 900, variables: { a: 1 }, tool_ids: [tool] }, stranger);
    const before = await api.read(id, stranger);
    const { body } = await api.update(id, { name: 'Vendas', status: 'active' }, stranger).expect(200);
    expect(body).toEqual({
      message: 'Assistente atualizado com sucesso',
      data: { id, name: 'Vendas', status: 'active', type: 'inbound', mode: 'pipeline' },
    });
    expect(await api.read(id, stranger)).toEqual({
      ...before,
      name: 'Vendas',
      status: 'active',
      updated_at: expect.stringMatching(ISO),
    });
  });

  it('changes nothing when nothing is sent', async () => {
    const id = await api.created();
    const { updated_at: _before, ...before } = await api.read(id);
    await api.update(id, {}).expect(200);
    expect(await api.read(id)).toMatchObject(before);
  });

  // spec: assistant.fields-returned-read
  it('takes back what was read', async () => {
    const id = await api.created({
      tools: [callTransfer(), calendar()],
      knowledgebase_id: await api.knowledgebase(),
      fillers: true,
    });
    const { updated_at: _updated, ...before } = await api.read(id);
    await api.update(id, before).expect(200);
    expect(await api.read(id)).toMatchObject(before);
  });

  it('clears optional fields with null, and brings back their default where there is one', async () => {
    const id = await api.created({
      phone_number_id: await api.number(),
      knowledgebase_id: await api.knowledgebase(),
      folder_id: await api.folder(),
      webhook_url: 'https://example.com/hook',
      conversation_ended_webhook_url: 'https://example.com/ended',
      chat_llm_fallback_id: CATALOG.otherLlm,
      synthesizer_provider_id: CATALOG.elevenlabs,
      transcriber_provider_id: CATALOG.gladia,
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
    await api.update(id, { ...cleared, ...automatic }).expect(200);
    expect(await api.read(id)).toMatchObject({
      ...cleared,
      synthesizer_provider_id: CATALOG.openaiSynthesizer,
      transcriber_provider_id: CATALOG.deepgram,
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
    const { body } = await api.update(await api.created(), { [field]: null }).expect(422);
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
    const id = await api.created(
      {
        tool_ids: [first, second],
        tools: [callTransfer(), { type: 'end_call' }],
        secondary_language_ids: [CATALOG.english],
        variables: { a: 1, b: 2 },
        post_call_schema: [postCall()],
        filler_config: { positive: ['Legal!'] },
      },
      owner,
    );
    await api
      .update(id, { tool_ids: [third, first], tools: [{ type: 'dtmf_input' }], variables: { c: 3 } }, owner)
      .expect(200);
    expect(await api.read(id, owner)).toMatchObject({
      tool_ids: [third, first],
      tools: [{ type: 'dtmf_input' }],
      secondary_language_ids: [CATALOG.english],
    });
    expect((await api.read(id, owner)).variables).toEqual({ c: 3 });
    await api
      .update(
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
      )
      .expect(200);
    const emptied = await api.read(id, owner);
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
    const id = await api.created({
      knowledgebase_id: await api.knowledgebase(),
      knowledgebase_mode: 'prompt',
      allow_interruptions: false,
      fillers: true,
      filler_config: { positive: ['Legal!'] },
      transcriber_provider_id: CATALOG.gladia,
      synthesizer_provider_id: CATALOG.elevenlabs,
      max_duration: 900,
    });
    await api
      .update(id, {
        mode: 'multimodal',
        multimodal_model_id: CATALOG.realtime,
        turn_detection_threshold: 0.3,
        chat_llm_fallback_id: CATALOG.llm,
      })
      .expect(200);
    expect(await api.read(id)).toMatchObject({
      mode: 'multimodal',
      llm_model_id: null,
      multimodal_model_id: CATALOG.realtime,
      turn_detection_threshold: 0.3,
      knowledgebase_mode: 'function_call',
      allow_interruptions: true,
      fillers: false,
      transcriber_provider_id: null,
      synthesizer_provider_id: null,
      max_duration: 900,
    });
    await api.update(id, { mode: 'dualplex' }).expect(200);
    expect(await api.read(id)).toMatchObject({
      multimodal_model_id: CATALOG.realtime,
      turn_detection_threshold: 0.3,
    });
    await api.update(id, { mode: 'pipeline', llm_model_id: CATALOG.otherLlm }).expect(200);
    expect(await api.read(id)).toMatchObject({
      llm_model_id: CATALOG.otherLlm,
      multimodal_model_id: null,
      chat_llm_fallback_id: null,
      turn_detection_threshold: null,
      transcriber_provider_id: CATALOG.deepgram,
    });
  });

  it.each<[string, Body, string, Body]>([
    ['the model of a new mode', {}, 'multimodal_model_id', { mode: 'multimodal' }],
    ['the model of pipeline', MULTIMODAL, 'llm_model_id', { mode: 'pipeline' }],
    [
      'a voice compatible with a new mode',
      { voice_id: CATALOG.pipelineVoice },
      'voice_id',
      { mode: 'multimodal', multimodal_model_id: CATALOG.realtime },
    ],
    [
      'a voice offered for a new language',
      { voice_id: CATALOG.elevenlabsVoice },
      'voice_id',
      { language_id: CATALOG.icelandic },
    ],
    [
      'a provider offered for a new language',
      { transcriber_provider_id: CATALOG.deepgram },
      'transcriber_provider_id',
      { language_id: CATALOG.icelandic },
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
    const id = await api.created(overrides);
    const before = await api.read(id);
    const { body } = await api.update(id, change).expect(422);
    expect(Object.keys(body.errors)).toEqual([field]);
    expect(await api.read(id)).toEqual(before);
  });

  it('takes the other multimodal model', async () => {
    const id = await api.created(MULTIMODAL);
    await api.update(id, { multimodal_model_id: CATALOG.otherRealtime }).expect(200);
    expect(await api.read(id)).toMatchObject({ multimodal_model_id: CATALOG.otherRealtime });
  });

  it('answers 404 for a missing assistant and for another account’s, and changes nothing', async () => {
    const id = await api.created();
    const other = await app.account();
    for (const target of [MISSING, id]) {
      const { body } = await api.update(target, { name: 'Meu' }, other).expect(404);
      expect(body).toEqual({ message: 'Assistente não encontrado' });
    }
    expect(await api.read(id)).toMatchObject({ name: 'Recepção' });
  });

  it('loses no change among simultaneous updates of different fields', async () => {
    const id = await api.created();
    await Promise.all([
      api.update(id, { name: 'A' }).expect(200),
      api.update(id, { max_duration: 700 }).expect(200),
      api.update(id, { variables: { a: 1 } }).expect(200),
      api.update(id, { record: true }).expect(200),
    ]);
    expect(await api.read(id)).toMatchObject({
      name: 'A',
      max_duration: 700,
      variables: { a: 1 },
      record: true,
    });
  });
});

describe('Read and delete assistant', () => {
  it('answers 404 for what is missing, another account’s, or no id', async () => {
    const id = await api.created();
    const other = await app.account();
    for (const target of [id, MISSING, 'abc', '0', '-1', '99999999999999']) {
      for (const method of ['get', 'delete'] as const) {
        const { body } = await app.as(other)[method](`/api/user/assistant/${target}`).expect(404);
        expect(body).toEqual({ message: 'Assistente não encontrado' });
      }
    }
    await api.read(id);
  });

  it('deletes the assistant and frees its number', async () => {
    const phone = await api.number();
    const id = await api.created({ phone_number_id: phone });
    const { body } = await app.as(account).delete(`/api/user/assistant/${id}`).expect(200);
    expect(body).toEqual({ message: 'Assistente excluído com sucesso' });
    await app.as(account).get(`/api/user/assistant/${id}`).expect(404);
    await api.create({ phone_number_id: phone }).expect(201);
  });
});
