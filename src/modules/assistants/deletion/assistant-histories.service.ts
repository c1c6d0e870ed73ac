import { Injectable } from '@nestjs/common';

/** What assistants have done, such as calls: it stays when an assistant goes. */
export interface AssistantHistory {
  /** Parts all of it from an assistant that is about to be deleted, in statements that each end in time. */
  detachAssistant(userId: number, assistantId: number): Promise<void>;
}

/** Modules that know assistants, and are not known to them, say here what they keep of them. */
@Injectable()
export class AssistantHistoriesService {
  private readonly histories: AssistantHistory[] = [];

  add(history: AssistantHistory): void {
    this.histories.push(history);
  }

  async detach(userId: number, assistantId: number): Promise<void> {
    for (const history of this.histories) await history.detachAssistant(userId, assistantId);
  }
}
