import { Injectable } from '@nestjs/common';
import { AssistantsService } from '../../assistants/assistants.service.js';
import type { WidgetPosition } from '../../assistants/settings/assistant-config.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import type { Visitor } from '../../visitors/visitor.js';
import { VisitorsService } from '../../visitors/visitors.service.js';
import { ChatAssistantsService } from '../turns/chat-assistants.service.js';
import { ConversationAssistantNotFoundError } from '../conversations.errors.js';
import { MAX_MESSAGE_LENGTH } from '../message.entity.js';

const DEFAULT_LANGUAGE = 'pt';

/** A chat on a page, before anything is said. */
export interface Widget {
  readonly assistantUuid: string;
  readonly title: string;
  readonly greeting: string;
  /** Two-letter code. */
  readonly language: string;
  readonly color: string | null;
  readonly position: WidgetPosition;
  readonly consent: string | null;
  readonly challengeRequired: boolean;
  readonly maxMessageLength: number;
}

/** What a page may know of an assistant that it shows a chat with. */
@Injectable()
export class WidgetService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly chatAssistants: ChatAssistantsService,
    private readonly visitors: VisitorsService,
    private readonly catalog: CatalogService,
  ) {}

  /**
   * Reads without an origin are let through where origins are named: a browser sends none from a page of this server.
   *
   * @throws ConversationAssistantNotFoundError | OriginNotAllowedError
   */
  async get(visitor: Visitor, assistantUuid: string): Promise<Widget> {
    const found = await this.assistants.findOnSite(assistantUuid);
    if (!found) throw new ConversationAssistantNotFoundError();
    const { compiled, policy } = await this.chatAssistants.prepare(found);
    if (visitor.origin !== null) this.visitors.checkOrigin(policy, visitor);
    const { config, name, languageId } = found;
    return {
      assistantUuid,
      title: config.widget_title ?? name,
      greeting: compiled.greeting(compiled.variablesOf({ variables: {}, now: new Date() })),
      language: this.catalog.findLanguage(languageId)?.iso_2 ?? DEFAULT_LANGUAGE,
      color: config.widget_color,
      position: config.widget_position,
      consent: config.widget_consent,
      challengeRequired: config.challenge_required,
      maxMessageLength: MAX_MESSAGE_LENGTH,
    };
  }
}
