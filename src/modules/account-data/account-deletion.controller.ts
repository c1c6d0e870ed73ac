import { Body, Controller, Delete } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiReply } from '../../common/http/api-docs.js';
import { reply } from '../../common/http/reply.js';
import { AccountDeletionsService } from './deletion/account-deletions.service.js';
import { DeleteAccountRequest } from './dto/account-data.request.js';
import { AccountDeletionResponse, toAccountDeletionResponse } from './dto/account-data.response.js';

@ApiTags('Account')
@ForUser()
@Controller('user')
export class AccountDeletionController {
  constructor(private readonly deletions: AccountDeletionsService) {}

  @Delete('me')
  @ApiOperation({
    operationId: 'deleteAccount',
    summary: 'Delete the account with everything in it, for good',
    description:
      'From the answer on all access ends: keys, sessions and members. Campaigns stop, calls are hung up, numbers go back to ' +
      'the carrier; then all rows and files are deleted, and what is left of the balance is written off. It cannot be undone. ' +
      'The ledger stays, under a number that belongs to no account.',
  })
  @ApiReply(AccountDeletionResponse, 202)
  async delete(@Caller() caller: Principal, @Body() body: DeleteAccountRequest) {
    return reply(
      'account_data.deleting',
      toAccountDeletionResponse(await this.deletions.begin(caller, body)),
    );
  }
}
