import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '#src/common/auth/guards.js';
import { Caller, type Principal } from '#src/common/auth/principal.js';
import { ApiMessageErrors, ApiOk, ApiReply } from '#src/common/http/api-docs.js';
import { reply } from '#src/common/http/reply.js';
import { ReadBack } from '#src/common/http/requests/read-back.js';
import { AvailabilityRequest, AvailabilityResponse, toAvailabilityResponse } from '../../dto/availability.js';
import { AvailabilityService } from './availability.service.js';

@ApiTags('Members')
@ForUser()
@Controller('user/me/availability')
export class AvailabilityController {
  constructor(private readonly availability: AvailabilityService) {}

  @Get()
  @ApiOperation({
    operationId: 'getAvailability',
    summary: 'Whether the signed-in person takes calls',
    description: 'For the session of a person. An API key is answered with 403.',
  })
  @ApiOk(AvailabilityResponse)
  @ApiMessageErrors(403)
  async get(@Caller() caller: Principal) {
    return toAvailabilityResponse(await this.availability.get(caller));
  }

  @Put()
  @ReadBack(AvailabilityResponse)
  @ApiOperation({
    operationId: 'updateAvailability',
    summary: 'Say whether the signed-in person takes calls',
    description:
      'It ends 60 seconds after the last event stream (`GET /user/events`) of the person. For the session of a person. ' +
      'An API key is answered with 403.',
  })
  @ApiReply(AvailabilityResponse)
  @ApiMessageErrors(403)
  async update(@Caller() caller: Principal, @Body() { available }: AvailabilityRequest) {
    return reply(
      'members.availability_updated',
      toAvailabilityResponse(await this.availability.set(caller, available)),
    );
  }
}
