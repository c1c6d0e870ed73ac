import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiReply } from '../../common/http/api-docs.js';
import { reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { AccountsService } from './accounts.service.js';
import {
  AccountSettingsRequest,
  AccountSettingsResponse,
  changesOf,
  toSettingsResponse,
} from './dto/settings.js';
import { MeResponse, toMeResponse } from './dto/me.response.js';

@ApiTags('Account')
@ForUser()
@Controller('user')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get('me')
  @ApiOperation({ operationId: 'getMe', summary: 'The account behind the token' })
  @ApiOk(MeResponse)
  async me(@Caller() { userId, memberId }: Principal) {
    return toMeResponse(await this.accounts.getWithBalance(userId, memberId));
  }

  @Get('settings')
  @ApiOperation({
    operationId: 'getSettings',
    summary: 'The country, the time zone and the switches of the account',
  })
  @ApiOk(AccountSettingsResponse)
  async settings(@Caller() { userId }: Principal) {
    return toSettingsResponse(await this.accounts.get(userId));
  }

  @Put('settings')
  @ReadBack(AccountSettingsResponse)
  @ApiOperation({
    operationId: 'updateSettings',
    summary: 'Change the country, the time zone or a switch of the account',
  })
  @ApiReply(AccountSettingsResponse)
  async updateSettings(@Caller() { userId }: Principal, @Body() body: AccountSettingsRequest) {
    const settings = await this.accounts.changeSettings(userId, changesOf(body));
    return reply('account.settings_updated', toSettingsResponse(settings));
  }
}
