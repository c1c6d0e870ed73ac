import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type { Talk, TalkFactory, TalkSetup } from '../session/assistant-session.js';
import { TextTalk, type TextTalkDependencies } from './text-session.js';

/** Makes the sessions of carriers whose media is text: with the scripted people of the sandbox. */
export class TextTalks implements TalkFactory {
  constructor(private readonly deps: TextTalkDependencies) {}

  /** Text is there at once. */
  prepare(): void {}

  /** @throws CallCarrierError `not-supported` for a line of audio */
  async make(setup: TalkSetup): Promise<Talk> {
    const { media } = setup;
    if (!('text' in media)) throw new CallCarrierError('not-supported', 'no');
    return new TextTalk(setup, media.text, this.deps);
  }
}
