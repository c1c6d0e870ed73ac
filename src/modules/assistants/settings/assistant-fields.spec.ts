import { describe, expect, it } from '@jest/globals';
import {
  type AssistantFields,
  changedFields,
  columnsOf,
  completeConfig,
  DEFAULTS,
  fieldsOf,
  namesOf,
  newFields,
  type SentNewFields,
} from './assistant-fields.js';

const CORE: SentNewFields = {
  name: 'Recepção',
  type: 'inbound',
  mode: 'pipeline',
  language_id: 1,
  voice_id: 1,
  timezone: 'America/Sao_Paulo',
  initial_message: 'Olá!',
  system_prompt: 'Atenda.',
};
const ASSISTANT: AssistantFields = newFields({ ...CORE, llm_model_id: 1 });

describe('newFields', () => {
  it('lays what is sent over the defaults, null being the default', () => {
    expect(newFields({ ...CORE, max_duration: 900, record: null })).toEqual({
      ...DEFAULTS,
      ...CORE,
      max_duration: 900,
    });
  });

  it('takes nothing that is no field', () => {
    expect(newFields({ ...CORE, user_id: 7 } as SentNewFields)).not.toHaveProperty('user_id');
  });
});

describe('changedFields', () => {
  it('changes what is sent and leaves the rest, false, zero and empty values being values', () => {
    const sent = { tts_emotion_enabled: false, min_interrupt_words: 0, tool_ids: [] };
    expect(changedFields({ ...ASSISTANT, tool_ids: [3] }, sent)).toEqual({ ...ASSISTANT, ...sent });
  });

  it('brings back a default for null, except for what every assistant needs', () => {
    const changed = changedFields({ ...ASSISTANT, max_duration: 900 }, { max_duration: null, name: null });
    expect(changed).toEqual(ASSISTANT);
  });

  it('resets the settings of the mode that is left, but for those that are sent', () => {
    const before: AssistantFields = {
      ...ASSISTANT,
      fillers: true,
      allow_interruptions: false,
      knowledgebase_mode: 'prompt',
      synthesizer_provider_id: 1,
      transcriber_provider_id: 1,
    };
    const sent = { mode: 'dualplex', multimodal_model_id: 101, llm_model_id: 2 } as const;
    expect(changedFields(before, sent)).toEqual({ ...ASSISTANT, ...sent, synthesizer_provider_id: 1 });
  });

  it('resets nothing when the mode that is sent is the one there is', () => {
    expect(changedFields({ ...ASSISTANT, fillers: true }, { mode: 'pipeline' }).fillers).toBe(true);
  });
});

describe('fields and columns', () => {
  it('are two forms of the same', () => {
    const fields = newFields({
      ...CORE,
      tool_ids: [2, 1],
      tools: [{ type: 'end_call' }],
      phone_number_id: 5,
    });
    const { columns, rest } = columnsOf(fields);
    const config = { ...rest, tools: fields.tools, inbound_webhook_url: 'https://example.com' };
    expect(fieldsOf({ ...columns, config }, fields.tool_ids, fields.tools)).toEqual(fields);
  });

  it('of a row that is older than a setting have its default', () => {
    const { columns, rest } = columnsOf(ASSISTANT);
    const { visitor_calls_enabled: _younger, ...config } = { ...rest, tools: [], inbound_webhook_url: null };
    const stored = config as typeof config & typeof rest;
    expect(fieldsOf({ ...columns, config: stored }, [], [])).toEqual(ASSISTANT);
    expect(completeConfig(stored)).toEqual({ ...rest, tools: [], inbound_webhook_url: null });
  });

  it('name those of a request, null included', () => {
    expect([...namesOf({ name: 'a', webhook_url: null, record: undefined })].sort()).toEqual([
      'name',
      'webhook_url',
    ]);
  });
});
