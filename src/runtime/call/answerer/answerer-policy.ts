import { setImmediate } from 'node:timers/promises';
import type { AnsweredBy, CallLine } from '../../../providers/telephony/call-carrier.js';
import { fillSpoken } from '../../spoken-text.js';
import type { Variables } from '../../variables.js';
import type { EngineCall } from '../session/call-setup.js';
import type { CallRecord } from '../state/call-log.js';
import type { CallTermination } from '../state/call-termination.js';
import type { Talk } from '../session/assistant-session.js';
import { SEND_TONES_TOOL } from '../tools/call-tools.js';
import { type FarEnd, type Gatekeeper, gatekeeperNote, isGatekeeper } from '../session/remote-party.js';

export interface AnswererPolicyHost {
  readonly talk: Talk | null;
  /** Does something while the call goes on; nothing before there is a talk. */
  besides(deed: (talk: Talk) => Promise<void>): void;
}

/** What a call does about who has answered: people, machines, menus, and services that screen calls. */
export class AnswererPolicy {
  private readonly mayPress: boolean;

  constructor(
    private readonly call: Pick<EngineCall, 'settings' | 'assistant'>,
    { capabilities }: CallLine,
    private readonly variables: Variables,
    private readonly record: CallRecord,
    private readonly termination: CallTermination,
    private readonly host: AnswererPolicyHost,
  ) {
    const takesKeys = capabilities.sendDigits || capabilities.inBandDigits;
    this.mayPress = takesKeys && call.assistant.tools.has(SEND_TONES_TOOL);
  }

  /** To be called whenever it is known, or known better, who has answered. */
  tell(farEnd: FarEnd): void {
    if (isGatekeeper(farEnd)) this.meet(farEnd);
    else this.answered(farEnd);
  }

  private answered(by: AnsweredBy): void {
    const { record, host } = this;
    if (record.answeredBy === by) return;
    record.hint(by);
    if (by === 'human') return;
    host.talk?.cut();
    host.besides((talk) => this.leaveMessage(talk));
  }

  private meet(gatekeeper: Gatekeeper): void {
    const { record, mayPress, host } = this;
    record.gatekeeper = gatekeeper;
    if (record.answeredBy !== null) record.hint(null);
    if (gatekeeper === 'screening' || mayPress || !this.call.settings.endOnVoicemail)
      return host.talk?.instruct(gatekeeperNote(gatekeeper, mayPress));
    host.talk?.cut();
    host.besides((talk) => this.leaveMenu(talk));
  }

  /** Once, also when the call was adopted while the message was being left. */
  private async leaveMessage(talk: Talk): Promise<void> {
    const { voicemailMessage, endOnVoicemail } = this.call.settings;
    const { record } = this;
    const message = voicemailMessage === null ? '' : fillSpoken(voicemailMessage, this.variables).trim();
    // What the machine has just said comes first.
    await setImmediate();
    if (message !== '' && !record.turns.some(({ text }) => text === message)) {
      await talk.say(message, { interruptible: false, afterBeep: true });
      // It may have turned out to be a menu in the meantime.
      if (record.answeredBy !== 'machine') return;
      record.action({ type: 'voicemail-message' });
    }
    if (endOnVoicemail) this.termination.finish('assistant');
  }

  /**
   * A call gets no further than a menu in which no key can be pressed: no person would hear a message in it. It is heard to its end,
   * because mailboxes may name keys before they record.
   */
  private async leaveMenu(talk: Talk): Promise<void> {
    const { record, termination } = this;
    await setImmediate();
    if ((await talk.say('', { afterBeep: true })) === 'cut' || record.answeredBy !== null) return;
    record.hint('machine');
    termination.finish('assistant');
  }
}
