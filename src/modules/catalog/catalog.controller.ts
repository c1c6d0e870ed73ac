import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk } from '../../common/http/api-docs.js';
import { CatalogService } from './catalog.service.js';
import { VoiceOffersService } from './voice-offers.service.js';
import { LanguageQuery, ModelsQuery, VoicesQuery } from './dto/catalog.query.js';
import {
  LanguageResponse,
  ModelResponse,
  ProviderResponse,
  toLanguageResponse,
  toModelResponse,
  toProviderResponse,
  toVoiceResponse,
  VoiceResponse,
} from './dto/catalog.response.js';

@ApiTags('Assistant reference data')
@ForUser()
@Controller('user/assistants')
export class CatalogController {
  constructor(
    private readonly catalog: CatalogService,
    private readonly offers: VoiceOffersService,
  ) {}

  @Get('languages')
  @ApiOperation({ operationId: 'listLanguages', summary: 'List the languages assistants speak' })
  @ApiOk(LanguageResponse, { isArray: true })
  listLanguages() {
    return this.catalog.languages().map(toLanguageResponse);
  }

  @Get('voices')
  @ApiOperation({
    operationId: 'listVoices',
    summary: 'List the voices',
    description:
      'Also those that the present keys cannot speak: an assistant may have one, and another voice speaks in its place.',
  })
  @ApiOk(VoiceResponse, { isArray: true })
  async listVoices(@Caller() { userId }: Principal, @Query() { mode, language_id: languageId }: VoicesQuery) {
    const offers = await this.offers.list(userId, { mode, languageId });
    return offers.map(toVoiceResponse(this.catalog, languageId));
  }

  @Get('models')
  @ApiOperation({ operationId: 'listModels', summary: 'List the models of a type' })
  @ApiOk(ModelResponse, { isArray: true })
  listModels(@Query() { type }: ModelsQuery) {
    return this.catalog.models(type ?? 'llm').map(toModelResponse);
  }

  @Get('synthesizer-providers')
  @ApiOperation({
    operationId: 'listSynthesizerProviders',
    summary: 'List who can turn text into speech, for pipeline and dualplex',
  })
  @ApiOk(ProviderResponse, { isArray: true })
  listSynthesizerProviders(@Query() { language_id: languageId }: LanguageQuery) {
    return this.catalog.synthesizers(languageId).map(toProviderResponse);
  }

  @Get('transcriber-providers')
  @ApiOperation({
    operationId: 'listTranscriberProviders',
    summary: 'List who can turn speech into text, for pipeline',
  })
  @ApiOk(ProviderResponse, { isArray: true })
  listTranscriberProviders(@Query() { language_id: languageId }: LanguageQuery) {
    return this.catalog.transcribers(languageId).map(toProviderResponse);
  }
}
