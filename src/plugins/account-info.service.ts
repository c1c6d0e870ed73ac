import { Injectable } from '@nestjs/common';
import { AccountsService } from '../modules/accounts/accounts.service.js';

/** What a plugin may know of an account. */
export interface AccountInfo {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  /** IANA name. */
  readonly timezone: string;
  /** ISO 3166 code, for phone numbers without a country. */
  readonly defaultCountry: string;
}

/** Accounts, as plugins see them. */
@Injectable()
export class AccountInfoService {
  constructor(private readonly accounts: AccountsService) {}

  /** @throws Error when there is no such account: ids of callers and of rows are always those of one */
  async get(userId: number): Promise<AccountInfo> {
    const { id, name, email, timezone, defaultCountry } = await this.accounts.get(userId);
    return { id, name, email, timezone, defaultCountry };
  }
}
