import { Controller, Get, Query, Res, StreamableFile } from '@nestjs/common';
import { ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiMessageErrors } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { RateLimitsService } from '../../common/limits/rate-limits.service.js';
import { SampleQuery } from './dto/sample.query.js';
import { VoiceSamplesService } from './voice-samples.service.js';

const CONTENT_TYPE = 'audio/wav';

@ApiTags('Assistant reference data')
@ForUser()
@Controller('user/assistants/voices')
export class VoiceSamplesController {
  constructor(
    private readonly samples: VoiceSamplesService,
    private readonly limits: RateLimitsService,
  ) {}

  @Get(':id/sample')
  @ApiOperation({
    operationId: 'getVoiceSample',
    summary: 'Hear a voice say a greeting',
    description:
      'Spoken with the keys of the account and of the installation, at no charge; 20 a minute for an account. ' +
      'A voice that is not available has no sample: no other voice replaces it here.',
  })
  @ApiResponse({
    status: 200,
    description: 'The greeting: mono, 16 bits, 24 kHz',
    content: { [CONTENT_TYPE]: { schema: { type: 'string', format: 'binary' } } },
  })
  @ApiMessageErrors(409, 503)
  async get(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Query() { language_id: languageId }: SampleQuery,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.limits.take('voice-sample', String(userId), response);
    const sound = await this.samples.speak(userId, id, languageId);
    response.set('Cache-Control', 'private, max-age=3600');
    return new StreamableFile(sound, { type: CONTENT_TYPE, length: sound.length });
  }
}
