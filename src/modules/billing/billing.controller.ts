import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import {
  CurrentAddress,
  PageAddress,
  PageQuery,
  pageRequestOf,
  toPageResponse,
} from '../../common/http/page.js';
import { ApiPage } from '../../common/http/api-docs.js';
import { BillingService } from './billing.service.js';
import { toTransactionResponse, TransactionResponse } from './dto/transaction.response.js';

@ApiTags('Billing')
@ForUser()
@Controller('user/billing')
export class BillingController {
  constructor(private readonly billing: BillingService) {}

  @Get('transactions')
  @ApiOperation({
    operationId: 'listTransactions',
    summary: 'List the movements of the balance, newest first',
  })
  @ApiPage(TransactionResponse)
  async transactions(
    @Caller() caller: Principal,
    @Query() query: PageQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const page = pageRequestOf(query);
    return toPageResponse(
      await this.billing.transactionsOf(caller.userId, page),
      page,
      address,
      toTransactionResponse,
    );
  }
}
