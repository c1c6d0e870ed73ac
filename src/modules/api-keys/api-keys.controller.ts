import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, MessageResponse } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done } from '../../common/http/reply.js';
import { ApiKeysService } from './api-keys.service.js';
import {
  ApiKeyListResponse,
  CreatedApiKeyResponse,
  toCreatedResponse,
  toListResponse,
} from './dto/api-key.response.js';
import { CreateApiKeyRequest, keyLimitsOf } from './dto/create-api-key.request.js';

@ApiTags('API keys')
@ForUser()
@Controller('user/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Get()
  @ApiOperation({
    operationId: 'listApiKeys',
    summary: 'List the keys of the account; tokens are never shown again',
  })
  @ApiOk(ApiKeyListResponse)
  async list(@Caller() { userId }: Principal) {
    return toListResponse(await this.keys.list(userId));
  }

  @Post()
  @ApiOperation({
    operationId: 'createApiKey',
    summary: 'Create a key; its token is returned only this once',
  })
  @ApiOk(CreatedApiKeyResponse, { status: 201 })
  @ApiMessageErrors(422)
  async create(@Caller() { userId }: Principal, @Body() body: CreateApiKeyRequest) {
    return toCreatedResponse(await this.keys.createLimited(userId, body.name, keyLimitsOf(body)));
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'deleteApiKey', summary: 'Delete a key; it stops working at once' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.keys.delete(userId, id);
    return done('api_keys.deleted');
  }
}
