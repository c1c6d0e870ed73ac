import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ApiOk } from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { CallEstimatesService } from './call-estimates.service.js';
import { CallEstimateResponse, toCallEstimateResponse } from './dto/call-estimate.response.js';

@ApiTags('Analytics')
@ForUser()
@Controller('user/assistant')
export class CallEstimatesController {
  constructor(private readonly estimates: CallEstimatesService) {}

  @Get(':id/call-estimate')
  @ApiOperation({
    operationId: 'getCallEstimate',
    summary: 'Estimate what a minute of calls of an assistant costs, and how fast it answers',
    description:
      'Prices are those of the installation, for the settings that are stored. What was measured is of the last 100 calls.',
  })
  @ApiOk(CallEstimateResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toCallEstimateResponse(await this.estimates.of(userId, id));
  }
}
