import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiBody200, ApiMessageErrors } from '../../common/http/api-docs.js';
import { AccountsService } from './accounts.service.js';
import { MeResponse, toMeResponse } from './dto/me.response.js';

@ApiTags('Account')
@ForUser()
@Controller('user')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get('me')
  @ApiOperation({ operationId: 'getMe', summary: 'The account behind the token' })
  @ApiBody200(MeResponse)
  @ApiMessageErrors(401)
  async me(@Caller() { userId }: Principal) {
    return toMeResponse(await this.accounts.getWithBalance(userId));
  }
}
