import type { ChatRequest } from '../../src/providers/llm/chat-model.js';
import type { TestAccount, TestApp } from './app.js';
import { addMember, type CreatedMember } from './builders.js';
import { ScriptedChatModel } from './scripted-chat-model.js';

/** People who work in an account. */
export class Operators {
  private readonly hired: CreatedMember[] = [];

  constructor(
    private readonly app: TestApp,
    private readonly account: TestAccount,
  ) {}

  async hire(name: string, role: 'operator' | 'viewer' = 'operator'): Promise<CreatedMember> {
    const operator = await addMember(this.app, this.account, { name, role });
    if (role === 'operator') this.hired.push(operator);
    return operator;
  }

  /** Takes calls from now on. */
  async available({ token }: Pick<CreatedMember, 'token'>, available = true): Promise<void> {
    await this.app.as({ token }).put('/api/user/me/availability').send({ available }).expect(200);
  }

  /** None takes calls any more. */
  async sendHome(): Promise<void> {
    for (const operator of this.hired) await this.available(operator, false);
  }
}

export function isBriefing({ messages }: ChatRequest): boolean {
  return JSON.stringify(messages[0]).includes('You brief a colleague');
}

/** A model that transfers a customer who asks for a person, and then says what came of it. */
export function transferModel(words: {
  readonly briefing: string;
  readonly failed: string;
  readonly absent: string;
}): ScriptedChatModel {
  return new ScriptedChatModel((request) => {
    if (isBriefing(request)) return { text: words.briefing };
    const last = request.messages.at(-1);
    if (JSON.stringify(request.messages).includes('The transfer did not succeed'))
      return { text: words.absent };
    if (last?.role === 'tool') return { text: words.failed };
    const isAsked = last?.role === 'user' && JSON.stringify(last).includes('uma pessoa');
    return isAsked ? { calls: [{ name: 'transfer_to_supervisor' }] } : { text: 'Certo.' };
  });
}
