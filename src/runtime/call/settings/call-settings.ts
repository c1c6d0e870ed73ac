/** How an assistant behaves on the telephone. Milliseconds are the carrier's, see CallCarrierCapabilities.speed. */
export interface CallSettings {
  readonly waitForCustomer: boolean;
  readonly maxDurationMs: number;
  readonly maxSilenceMs: number;
  /** Until the customer's first word; null means that only `maxSilenceMs` counts. */
  readonly maxInitialSilenceMs: number | null;
  readonly reengagementIntervalMs: number;
  /** What the assistant is to do when the customer is silent; null does nothing. */
  readonly reengagementPrompt: string | null;
  readonly endOnVoicemail: boolean;
  /** Said to an answering machine, placeholders not yet filled; null says nothing. */
  readonly voicemailMessage: string | null;
  /** Tells the customer that people listen; null says nothing. */
  readonly monitoringAnnouncement: MonitoringAnnouncement | null;
  /** Null: keys the customer presses mean nothing. */
  readonly keypad: KeypadSettings | null;
}

export interface MonitoringAnnouncement {
  /** Placeholders not yet filled. */
  readonly text: string;
  /** Whether a short tone repeats as long as a person listens. */
  readonly tone: boolean;
}

export interface KeypadSettings {
  /** After the last key. */
  readonly timeoutMs: number;
  readonly stopKey: string;
}

/** The fields of an assistant's configuration that calls need, as the API names them. */
export interface CallBehaviour {
  readonly wait_for_customer: boolean;
  /** Seconds, as are the next four. */
  readonly max_duration: number;
  readonly max_silence_duration: number;
  readonly max_initial_silence_duration: number | null;
  readonly reengagement_interval: number;
  readonly reengagement_prompt: string | null;
  readonly end_call_on_voicemail: boolean;
  readonly voice_mail_message: string | null;
  readonly monitoring_announcement: MonitoringAnnouncement | null;
  readonly tools: readonly { readonly type: string }[];
}

export function toCallSettings(behaviour: CallBehaviour): CallSettings {
  return {
    waitForCustomer: behaviour.wait_for_customer,
    maxDurationMs: behaviour.max_duration * 1_000,
    maxSilenceMs: behaviour.max_silence_duration * 1_000,
    maxInitialSilenceMs:
      behaviour.max_initial_silence_duration === null ? null : behaviour.max_initial_silence_duration * 1_000,
    reengagementIntervalMs: behaviour.reengagement_interval * 1_000,
    reengagementPrompt: behaviour.reengagement_prompt || null,
    endOnVoicemail: behaviour.end_call_on_voicemail,
    voicemailMessage: behaviour.voice_mail_message || null,
    monitoringAnnouncement: behaviour.monitoring_announcement,
    keypad: keypadOf(behaviour.tools),
  };
}

function keypadOf(tools: CallBehaviour['tools']): KeypadSettings | null {
  const tool = tools.find(({ type }) => type === 'collect_keypad') as
    { readonly timeout?: unknown; readonly stop_key?: unknown } | undefined;
  if (!tool) return null;
  return {
    timeoutMs: (typeof tool.timeout === 'number' ? tool.timeout : 5) * 1_000,
    stopKey: tool.stop_key === '*' ? '*' : '#',
  };
}
