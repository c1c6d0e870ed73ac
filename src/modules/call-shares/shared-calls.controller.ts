import { Body, Controller, Get, Header, Post, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ApiMessageErrors, ApiOk } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CurrentOrigin } from '../../common/http/requests/current-origin.js';
import { LimitCredentials } from '../../common/limits/rate-limits.guard.js';
import { ApiLinkedRecording, recordingReply } from '../calls/recordings/recording-reply.js';
import { ReadSharedCallRequest } from './dto/call-share.js';
import { SharedCallResponse, toSharedCallResponse } from './dto/shared-call.response.js';
import { SharedCallsService } from './shared-calls.service.js';

@ApiTags('Calls')
@Controller('shared-calls')
export class SharedCallsController {
  constructor(private readonly shared: SharedCallsService) {}

  @Post()
  @LimitCredentials()
  @Header('Cache-Control', 'no-store')
  @Header('X-Robots-Tag', 'noindex')
  @ApiOperation({
    operationId: 'readSharedCall',
    summary: 'Read a call by a link',
    description:
      'Needs no token of an account. The answer is the same 404 for links that are unknown, expired or revoked, and for calls that ' +
      'are gone or not shared any more.',
  })
  @ApiOk(SharedCallResponse)
  @ApiMessageErrors(404)
  async read(@Body() { token }: ReadSharedCallRequest, @CurrentOrigin() origin: string) {
    return toSharedCallResponse(await this.shared.open(token), origin);
  }

  @Get(':id/recording')
  @ApiOperation({
    operationId: 'getSharedRecording',
    summary: 'Hear the recording of a shared call',
    description: 'The `recording_url` of a shared call leads here.',
  })
  @ApiLinkedRecording()
  async recording(
    @IdParam() id: number,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ) {
    const link = { expires: String(expires), signature: String(signature) };
    return recordingReply(await this.shared.recording(id, link), request, response);
  }
}
