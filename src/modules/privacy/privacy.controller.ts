import { Body, Controller, Get, Header, Post, Put, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { reply } from '../../common/http/reply.js';
import { ReadBack } from '../../common/http/requests/read-back.js';
import { EraseRequest, ExportPersonalDataRequest } from './dto/privacy.request.js';
import { ErasureResponse, PersonalDataResponse, toErasureResponse } from './dto/privacy.response.js';
import { RetentionRequest, toOwnDays } from './dto/retention.request.js';
import { RetentionResponse, toRetentionResponse } from './dto/retention.response.js';
import { ErasuresService } from './erasures.service.js';
import { PersonalDataExportService } from './personal-data-export.service.js';
import { RetentionService } from './retention/retention.service.js';

@ApiTags('Privacy')
@ForUser()
@Controller('user/privacy')
export class PrivacyController {
  constructor(
    private readonly exports: PersonalDataExportService,
    private readonly erasures: ErasuresService,
    private readonly retention: RetentionService,
  ) {}

  @Post('export')
  @Header('Cache-Control', 'private, no-store')
  @ApiOperation({
    operationId: 'exportPersonalData',
    summary: 'Read everything that the account holds about a phone number',
  })
  @ApiOk(PersonalDataResponse)
  async export(@Caller() { userId }: Principal, @Body() body: ExportPersonalDataRequest) {
    const content = await this.exports.begin(userId, body.phone_number);
    return new StreamableFile(content, { type: 'application/json' });
  }

  @Post('erase')
  @ApiOperation({
    operationId: 'erasePersonalData',
    summary: 'Erase everything that the account holds about a phone number',
    description:
      'Begins an erasure; its route says how far it is. Calls and conversations stay, emptied, with what they cost. ' +
      'A call with the person that is on is waited for; their leads are not called any more.',
  })
  @ApiReply(ErasureResponse, 202)
  @ApiMessageErrors(409)
  async erase(@Caller() { userId }: Principal, @Body() body: EraseRequest) {
    return reply('privacy.erasing', toErasureResponse(await this.erasures.begin(userId, body)));
  }

  @Get('erasures/:id')
  @ApiOperation({ operationId: 'getErasure', summary: 'How far an erasure is' })
  @ApiOk(ErasureResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toErasureResponse(await this.erasures.get(userId, id));
  }

  @Get('retention')
  @ApiOperation({ operationId: 'getRetention', summary: 'For how long what people said is kept' })
  @ApiOk(RetentionResponse)
  async getRetention(@Caller() { userId }: Principal) {
    return toRetentionResponse(await this.retention.get(userId));
  }

  @Put('retention')
  @ReadBack(RetentionResponse)
  @ApiOperation({
    operationId: 'updateRetention',
    summary: 'Keep what people said for fewer days than the installation does',
    description: 'What is not sent stays. What is older is taken out within minutes.',
  })
  @ApiReply(RetentionResponse)
  async updateRetention(@Caller() { userId }: Principal, @Body() body: RetentionRequest) {
    return reply(
      'privacy.retention_updated',
      toRetentionResponse(await this.retention.set(userId, toOwnDays(body))),
    );
  }
}
