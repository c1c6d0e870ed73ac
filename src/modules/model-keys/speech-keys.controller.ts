import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk, ApiReply, MessageResponse } from '../../common/http/api-docs.js';
import { NameParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import {
  SPEECH_KEY_PROVIDERS,
  type SpeechKeyProvider,
} from '../../providers/speech/account-keys/account-speech-keys.js';
import { PutSpeechModelKeyRequest } from './dto/speech-model-key.request.js';
import {
  SpeechModelKeyListResponse,
  SpeechModelKeyResponse,
  SpeechModelKeyTestResponse,
  StoredSpeechModelKeyResponse,
  toSpeechModelKeyResponse,
} from './dto/speech-model-key.response.js';
import { modelKeyText } from './model-keys.texts.js';
import { SpeechKeysService } from './speech-keys.service.js';

const ProviderParam = () => NameParam('provider', SPEECH_KEY_PROVIDERS, 'Its code in the catalogue');

@ApiTags('Model keys')
@ForUser()
@Controller('user/model-keys/speech')
export class SpeechKeysController {
  constructor(private readonly keys: SpeechKeysService) {}

  @Get()
  @ApiOperation({
    operationId: 'listSpeechModelKeys',
    summary: 'List your keys for speech; they are shown masked',
  })
  @ApiOk(SpeechModelKeyListResponse)
  async list(@Caller() { userId }: Principal) {
    return { data: (await this.keys.list(userId)).map(toSpeechModelKeyResponse) };
  }

  @Get(':provider')
  @ApiOperation({
    operationId: 'getSpeechModelKey',
    summary: 'Read your key for a provider of speech; it is shown masked',
  })
  @ApiOk(StoredSpeechModelKeyResponse)
  async get(@Caller() { userId }: Principal, @ProviderParam() provider: SpeechKeyProvider | null) {
    const key = await this.keys.find(userId, provider);
    return { data: key && toSpeechModelKeyResponse(key) };
  }

  @Put(':provider')
  @ApiOperation({
    operationId: 'putSpeechModelKey',
    summary: 'Store your key for a provider of speech, which is asked about it first',
    description:
      'From then on calls of the account are heard, spoken and held by realtime models with it where the provider is asked: calls ' +
      'that other processes begin within ten seconds. A key that the provider does not take is not stored.',
  })
  @ApiReply(SpeechModelKeyResponse)
  async put(
    @Caller() { userId }: Principal,
    @ProviderParam() provider: SpeechKeyProvider | null,
    @Body() body: PutSpeechModelKeyRequest,
  ) {
    const key = await this.keys.put(userId, provider, body);
    return reply(modelKeyText('model_keys.stored'), toSpeechModelKeyResponse(key));
  }

  @Delete(':provider')
  @ApiOperation({
    operationId: 'deleteSpeechModelKey',
    summary: "Forget your key for a provider of speech: the installation's is used again",
  })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @ProviderParam() provider: SpeechKeyProvider | null) {
    await this.keys.delete(userId, provider);
    return done(modelKeyText('model_keys.deleted'));
  }

  @Post(':provider/test')
  @ApiOperation({
    operationId: 'testSpeechModelKey',
    summary: 'Ask the provider whether it takes the stored key',
  })
  @ApiReply(SpeechModelKeyTestResponse)
  async test(@Caller() { userId }: Principal, @ProviderParam() provider: SpeechKeyProvider | null) {
    return reply(modelKeyText('model_keys.tested'), { result: await this.keys.test(userId, provider) });
  }
}
