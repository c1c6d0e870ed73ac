import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { IdParam } from '../../../common/http/id-param.js';
import { ApiLinkedRecording, ApiRecording, recordingReply } from './recording-reply.js';
import { RecordingsService } from './recordings.service.js';

@ApiTags('Calls')
@Controller()
export class RecordingsController {
  constructor(private readonly recordings: RecordingsService) {}

  @Get('user/calls/:id/recording')
  @ForUser()
  @ApiOperation({ operationId: 'getCallRecording', summary: 'Hear the recording of a call' })
  @ApiRecording()
  async get(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    return recordingReply(await this.recordings.get(userId, id), request, response);
  }

  @Get('recordings/:id')
  @ApiOperation({
    operationId: 'getLinkedRecording',
    summary: 'Hear the recording of a call by its link',
    description:
      'The `recording_url` of a call leads here. It needs no token of an account, and is good until it expires.',
  })
  @ApiLinkedRecording()
  async getLinked(
    @IdParam() id: number,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const link = { expires: String(expires), signature: String(signature) };
    return recordingReply(await this.recordings.getLinked(id, link), request, response);
  }
}
