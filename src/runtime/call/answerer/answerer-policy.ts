import { setImmediate } from 'node:timers/promises';
import type { AnsweredBy } from '../../../providers/telephony/call/carrier-call.js';
import type { CallLine } from '../../../providers/telephony/call/call-line.js';
import { fillSpoken } from '../../spoken-text.js';
import type { Variables } from '../../variables.js';
import type { CallSetup } from '../session/call-setup.js';
import type { CallLog } from '../state/call-log.js';
import type { CallTermination } from '../state/call-termination.js';
import type { AssistantSession } from '../session/assistant-session.js';
import { SEND_TONES_TOOL } from '../tools/call-tools.js';
import {
  type RemoteParty,
  type CallScreener,
  callScreenerNote,
  isCallScreener,
} from '../session/remote-party.js';

export interface AnswererPolicyHost {
  readonly session: AssistantSession | null;
  /** Runs an action during the call; does nothing before there is a session. */
  runInBackground(action: (session: AssistantSession) => Promise<void>): void;
}

/** What a call does about who has answered: people, machines, menus, and services that screen calls. */
export class AnswererPolicy {
  private readonly mayPress: boolean;

  constructor(
    private readonly call: Pick<CallSetup, 'settings' | 'assistant'>,
    { capabilities }: CallLine,
    private readonly variables: Variables,
    private readonly record: CallLog,
    private readonly termination: CallTermination,
    private readonly host: AnswererPolicyHost,
  ) {
    const takesKeys = capabilities.sendDigits || capabilities.inBandDigits;
    this.mayPress = takesKeys && call.assistant.tools.has(SEND_TONES_TOOL);
  }

  /** To be called whenever it is known, or known better, who has answered. */
  report(farEnd: RemoteParty): void {
    if (isCallScreener(farEnd)) this.meet(farEnd);
    else this.answered(farEnd);
  }

  private answered(by: AnsweredBy): void {
    const { record, host } = this;
    if (record.answeredBy === by) return;
    record.setAnsweredBy(by);
    if (by === 'human') return;
    host.session?.cut();
    host.runInBackground((session) => this.leaveMessage(session));
  }

  private meet(gatekeeper: CallScreener): void {
    const { record, mayPress, host } = this;
    record.gatekeeper = gatekeeper;
    if (record.answeredBy !== null) record.setAnsweredBy(null);
    if (gatekeeper === 'screening' || mayPress || !this.call.settings.endOnVoicemail)
      return host.session?.instruct(callScreenerNote(gatekeeper, mayPress));
    host.session?.cut();
    host.runInBackground((session) => this.leaveMenu(session));
  }

  /** Once, also when the call was adopted while the message was being left. */
  private async leaveMessage(session: AssistantSession): Promise<void> {
    const { voicemailMessage, endOnVoicemail } = this.call.settings;
    const { record } = this;
    const message = voicemailMessage === null ? '' : fillSpoken(voicemailMessage, this.variables).trim();
    // What the machine has just said comes first.
    await setImmediate();
    if (message !== '' && !record.turns.some(({ text }) => text === message)) {
      await session.say(message, { interruptible: false, afterBeep: true });
      // It may have turned out to be a menu in the meantime.
      if (record.answeredBy !== 'machine') return;
      record.addAction({ type: 'voicemail-message' });
    }
    if (endOnVoicemail) this.termination.finish('assistant');
  }

  /**
   * A call gets no further than a menu in which no key can be pressed: no person would hear a message in it. It is heard to its end,
   * because mailboxes may name keys before they record.
   */
  private async leaveMenu(session: AssistantSession): Promise<void> {
    const { record, termination } = this;
    await setImmediate();
    if ((await session.say('', { afterBeep: true })) === 'cut' || record.answeredBy !== null) return;
    record.setAnsweredBy('machine');
    termination.finish('assistant');
  }
}
