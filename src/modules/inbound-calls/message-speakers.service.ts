import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { AssistantSnapshotsService } from '../assistants/assistant-snapshots.service.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants/assistants.service.js';
import type { Speaker } from '../call-sessions/message-voices.service.js';
import { localeOf } from '../../common/phone/country-locale.js';
import type { CalledNumber } from './inbound-routes.service.js';

/** Chooses who speaks the messages of a number. */
@Injectable()
export class MessageSpeakersService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly snapshots: AssistantSnapshotsService,
    private readonly accounts: AccountsService,
  ) {}

  /** The inbound assistant of the number, active or not. Without one, a voice in the language of the account's country. */
  async find({ id, userId, assistant }: CalledNumber): Promise<Speaker> {
    const speaker = assistant ?? (await this.assistants.findInbound(id));
    return (speaker && this.speakerOf(speaker)) ?? { language: await this.languageOf(userId), voice: null };
  }

  /** In which language callers hear that they wait for an assistant. */
  async languageFor(assistant: RuntimeAssistant): Promise<string> {
    return this.speakerOf(assistant)?.language ?? (await this.languageOf(assistant.userId));
  }

  private speakerOf(assistant: RuntimeAssistant): Speaker | null {
    const voice = this.snapshots.voiceOf(assistant);
    const [language] = voice.languages;
    return language ? { language: language.locale, voice } : null;
  }

  private async languageOf(userId: number): Promise<string> {
    const { defaultCountry } = await this.accounts.get(userId);
    return localeOf(defaultCountry);
  }
}
