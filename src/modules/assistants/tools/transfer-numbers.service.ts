import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../../common/errors/domain-error.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AssistantsRepository } from '../assistants.repository.js';
import type { SentTool } from './built-in-tool.js';
import { needCountry, undiallableIn, withDiallable } from './transfer-numbers.js';

/** Reads the numbers of built-in tools: one without a country code is a number of the account's country. */
@Injectable()
export class TransferNumbersService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsRepository,
  ) {}

  /**
   * Tools of a request with their numbers in E.164, and an issue for each that is no number.
   *
   * @param assistantId null for a new assistant
   */
  async read(
    userId: number,
    assistantId: number | null,
    sent: readonly SentTool[],
  ): Promise<{ tools: SentTool[]; issues: FieldIssue[] }> {
    const tools = await this.diallable(userId, sent);
    const issues = undiallableIn(tools, []);
    if (issues.length === 0 || assistantId === null) return { tools, issues };
    return { tools, issues: undiallableIn(tools, await this.assistants.builtInToolsOf(userId, assistantId)) };
  }

  /** The same of tools that are stored, which may be older than the rule. */
  async diallable<Tool extends SentTool>(userId: number, tools: readonly Tool[]): Promise<Tool[]> {
    const country = needCountry(tools) ? (await this.accounts.get(userId)).defaultCountry : undefined;
    return tools.map((tool) => withDiallable(tool, country));
  }
}
