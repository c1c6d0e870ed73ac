import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';
import type {
  AssistantSession,
  AssistantSessionFactory,
  SessionSetup,
} from '../session/assistant-session.js';
import { TextSession, type TextSessionDependencies } from './text-session.js';

/** Makes the sessions of carriers whose media is text: with the scripted people of the sandbox. */
export class TextSessionFactory implements AssistantSessionFactory {
  constructor(private readonly deps: TextSessionDependencies) {}

  /** Text is there at once. */
  prepare(): void {}

  /** @throws CallCarrierError `not-supported` for a line of audio */
  async make(setup: SessionSetup): Promise<AssistantSession> {
    const { media } = setup;
    if (!('text' in media)) throw new CallCarrierError('not-supported', 'no');
    return new TextSession(setup, media.text, this.deps);
  }
}
