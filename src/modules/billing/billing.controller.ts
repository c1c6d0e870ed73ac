import { Body, Controller, Get, Put, Query } from '@nestjs/common';
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
import { ApiOk, ApiPage, ApiReply } from '../../common/http/api-docs.js';
import { reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { BillingService } from './billing.service.js';
import { DailySpendService } from './spend/daily-spend.service.js';
import { DailySpendQuery, DailySpendResponse, daysOf, toDailySpendResponse } from './dto/daily-spend.js';
import {
  capMicrosOf,
  SpendLimitsRequest,
  SpendLimitsResponse,
  toSpendLimitsResponse,
} from './dto/spend-limits.js';
import { toTransactionResponse, TransactionResponse } from './dto/transaction.response.js';
import { VisitorSpendService } from './spend/visitor-spend.service.js';

@ApiTags('Billing')
@ForUser()
@Controller('user/billing')
export class BillingController {
  constructor(
    private readonly billing: BillingService,
    private readonly visitors: VisitorSpendService,
    private readonly spend: DailySpendService,
  ) {}

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

  @Get('spend')
  @ApiOperation({
    operationId: 'getDailySpend',
    summary: 'Read what was spent on each of the last days (UTC)',
  })
  @ApiOk(DailySpendResponse)
  async spendByDay(@Caller() { userId }: Principal, @Query() query: DailySpendQuery) {
    return toDailySpendResponse(await this.spend.byDay(userId, daysOf(query)));
  }

  @Get('limits')
  @ApiOperation({ operationId: 'getSpendLimits', summary: 'Read what visitors may spend a day' })
  @ApiOk(SpendLimitsResponse)
  async limits(@Caller() { userId }: Principal) {
    return toSpendLimitsResponse(await this.visitors.capOf(userId));
  }

  @Put('limits')
  @ReadBack(SpendLimitsResponse)
  @ApiOperation({ operationId: 'updateSpendLimits', summary: 'Change what visitors may spend a day' })
  @ApiReply(SpendLimitsResponse)
  async setLimits(@Caller() { userId }: Principal, @Body() body: SpendLimitsRequest) {
    return reply(
      'billing.limits_updated',
      toSpendLimitsResponse(await this.visitors.setCap(userId, capMicrosOf(body))),
    );
  }
}
