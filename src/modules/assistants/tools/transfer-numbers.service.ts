import { Injectable } from '@nestjs/common';
import { AccountsService } from '../../accounts/accounts.service.js';
import type { SentTool } from './built-in-tool.js';
import { needCountry, withDiallable } from './transfer-numbers.js';

/** Reads the numbers of built-in tools: one without a country code is a number of the account's country. */
@Injectable()
export class TransferNumbersService {
  constructor(private readonly accounts: AccountsService) {}

  /** Tools that are sent, or stored by a release that kept numbers as they were written, with their numbers in E.164. */
  async diallable<Tool extends SentTool>(userId: number, tools: readonly Tool[]): Promise<Tool[]> {
    const country = needCountry(tools) ? (await this.accounts.get(userId)).defaultCountry : undefined;
    return tools.map((tool) => withDiallable(tool, country));
  }
}
