import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { JobsService } from '../../../queues/jobs.service.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AccountAccessService } from '../../auth/account-access.service.js';
import type { DeleteAccountRequest } from '../dto/account-data.request.js';
import { AccountClosingService } from './account-closing.service.js';
import type { AccountDeletion } from './account-deletion.entity.js';
import { runAccountDeletionJob } from './run-account-deletion.job.js';

@Injectable()
export class AccountDeletionsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly access: AccountAccessService,
    private readonly closing: AccountClosingService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Begins to delete the caller's account. From then on all access ends, the caller's included.
   *
   * @throws ValidationFailedError when `email` is not the account's, or the password is wrong
   * @throws TooManyRequestsError after too many wrong passwords
   */
  async begin(caller: Principal, { email, password }: DeleteAccountRequest): Promise<AccountDeletion> {
    const account = await this.accounts.get(caller.userId);
    if (email.trim().toLowerCase() !== account.email)
      throw ValidationFailedError.of('email', 'account_data.other_email');
    await this.access.confirm(caller, password ?? '');
    const deletion = await this.closing.close(caller.userId);
    this.jobs.wake(
      runAccountDeletionJob,
      { deletionId: deletion.id },
      { id: `account-deletion-${deletion.id}` },
    );
    return deletion;
  }
}
