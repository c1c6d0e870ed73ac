import { describe, expect, it } from '@jest/globals';
import type { AssistantConfig } from '../../../modules/assistants/settings/assistant-config.js';
import { type CallBehaviour, toCallSettings } from './call-settings.js';

const BEHAVIOUR: CallBehaviour = {
  wait_for_customer: true,
  max_duration: 600,
  max_silence_duration: 40,
  max_initial_silence_duration: null,
  reengagement_interval: 30,
  reengagement_prompt: null,
  end_call_on_voicemail: true,
  voice_mail_message: null,
  monitoring_announcement: { text: 'Nossa equipe acompanha.', tone: true },
  tools: [],
};

describe('toCallSettings', () => {
  it('reads the configuration of an assistant as it is', () => {
    const read: (config: AssistantConfig) => CallBehaviour = (config) => config;

    expect(toCallSettings(read(BEHAVIOUR as AssistantConfig))).toEqual({
      waitForCustomer: true,
      maxDurationMs: 600_000,
      maxSilenceMs: 40_000,
      maxInitialSilenceMs: null,
      reengagementIntervalMs: 30_000,
      reengagementPrompt: null,
      endOnVoicemail: true,
      voicemailMessage: null,
      monitoringAnnouncement: { text: 'Nossa equipe acompanha.', tone: true },
      keypad: null,
    });
  });

  it('takes empty texts for none', () => {
    const settings = toCallSettings({ ...BEHAVIOUR, reengagement_prompt: '', voice_mail_message: '' });

    expect(settings).toMatchObject({ reengagementPrompt: null, voicemailMessage: null });
  });

  it.each([
    [{ type: 'collect_keypad' }, { timeoutMs: 5_000, stopKey: '#' }],
    [
      { type: 'collect_keypad', timeout: null, stop_key: null },
      { timeoutMs: 5_000, stopKey: '#' },
    ],
    [
      { type: 'collect_keypad', timeout: 12, stop_key: '*' },
      { timeoutMs: 12_000, stopKey: '*' },
    ],
    [{ type: 'end_call' }, null],
  ])('finds the keypad of %j', (tool, keypad) => {
    expect(toCallSettings({ ...BEHAVIOUR, tools: [tool] }).keypad).toEqual(keypad);
  });
});
