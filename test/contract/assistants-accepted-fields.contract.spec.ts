import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AssistantsApi,
  type Body,
  calendar,
  callTransfer,
  CATALOG,
  DUALPLEX,
  MULTIMODAL,
  warmTransfer,
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
  const accepted: [string, Body][] = [
    ['a name of 255 characters', { name: 'x'.repeat(255) }],
    ['an outbound assistant', { type: 'outbound' }],
    ['mode multimodal with its model', MULTIMODAL],
    ['mode dualplex with its model and a synthesizer’s voice', DUALPLEX],
    ['the time zone UTC', { timezone: 'UTC' }],
    ['an initial_message of 200 characters', { initial_message: 'x'.repeat(200) }],
    ['both models in one request', { multimodal_model_id: CATALOG.realtime }],
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
    ['a transfer to a SIP address', { tools: [callTransfer({ phone_number: 'sip:desk@pbx.example.com' })] }],
    [
      'several transfers',
      { tools: [callTransfer(), callTransfer({ phone_number: '+551140028922', custom: true })] },
    ],
    // spec: built-in-tools.collect_keypad
    [
      'collect_keypad timeout 1 and stop key *',
      { tools: [{ type: 'collect_keypad', timeout: 1, stop_key: '*' }] },
    ],
  ];
  it.each(accepted)('accepts %s', async (_rule, overrides) => {
    const id = await api.created(overrides);
    expect(await api.read(id)).toMatchObject(JSON.parse(JSON.stringify(overrides)));
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
    const id = await api.created();
    const fields = Object.keys(await api.read(id)).filter(
      (name) => !['id', 'uuid', 'user_id'].includes(name),
    );
    for (const field of fields) {
      const answers = await Promise.all(
        HOSTILE.flatMap((value) => [api.create({ [field]: value }), api.update(id, { [field]: value })]),
      );
      expect([field, FAULTS(answers)]).toEqual([field, []]);
    }
    await api.read(id);
  }, 120_000);

  it('whatever a field of a built-in tool holds', async () => {
    const tools = [
      callTransfer(),
      warmTransfer(await api.number()),
      { type: 'collect_keypad' },
      calendar({ extcal_booking_fields: [] }),
    ];
    for (const tool of tools) {
      const id = await api.created({ tools: [tool] });
      const [complete] = (await api.read(id)).tools;
      const answers = await Promise.all(
        Object.keys(complete).flatMap((name) =>
          HOSTILE.map((value) => api.update(id, { tools: [{ ...tool, [name]: value }] })),
        ),
      );
      expect(FAULTS(answers)).toEqual([]);
      await api.read(id);
    }
  }, 120_000);
});
