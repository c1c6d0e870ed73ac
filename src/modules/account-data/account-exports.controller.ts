import { Controller, Get, Header, Post, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiDataList, ApiMessageErrors, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { reply } from '../../common/http/reply.js';
import { AccountExportResponse, toAccountExportResponse } from './dto/account-data.response.js';
import { AccountExportsService } from './exports/account-exports.service.js';

@ApiTags('Privacy')
@ForUser()
@Controller('user/privacy/account-exports')
export class AccountExportsController {
  constructor(private readonly exports: AccountExportsService) {}

  @Post()
  @ApiOperation({
    operationId: 'exportAccount',
    summary: 'Export everything that the account has',
    description:
      'Begins an archive (tar, gzip) of all rows and files; while one is under way, answers that one. It is kept for a week.',
  })
  @ApiReply(AccountExportResponse, 202)
  async begin(@Caller() { userId }: Principal) {
    return reply('account_data.exporting', toAccountExportResponse(await this.exports.begin(userId)));
  }

  @Get()
  @ApiOperation({
    operationId: 'listAccountExports',
    summary: 'List the exports of the account, newest first',
    description: 'The last three at most, the one under way included.',
  })
  @ApiDataList(AccountExportResponse)
  async list(@Caller() { userId }: Principal) {
    return { data: (await this.exports.list(userId)).map(toAccountExportResponse) };
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getAccountExport', summary: 'How far an export of the account is' })
  @ApiOk(AccountExportResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toAccountExportResponse(await this.exports.get(userId, id));
  }

  @Get(':id/file')
  @Header('Cache-Control', 'private, no-store')
  @ApiOperation({ operationId: 'downloadAccountExport', summary: 'Download an export of the account' })
  @ApiResponse({
    status: 200,
    description: 'The archive',
    content: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiMessageErrors(409)
  async download(@Caller() { userId }: Principal, @IdParam() id: number) {
    const { content, bytes, name } = await this.exports.open(userId, id);
    return new StreamableFile(content, {
      type: 'application/gzip',
      length: bytes,
      disposition: `attachment; filename="${name}"`,
    });
  }
}
