import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import {
  ApiDataList,
  ApiMessageErrors,
  ApiOk,
  ApiReply,
  MessageResponse,
} from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done, reply } from '../../../common/http/reply.js';
import { CurrentOrigin } from '../../../common/http/requests/current-origin.js';
import { MonitorGrantResponse, toMonitorGrantResponse } from '../dto/monitor-grant.response.js';
import { TransferOfferResponse, toTransferOfferResponse } from '../dto/transfer-offer.response.js';
import { OfferAnswersService } from './offer-answers.service.js';

@ApiTags('Calls')
@ForUser()
@Controller('user/transfer-offers')
export class TransferOffersController {
  constructor(private readonly answers: OfferAnswersService) {}

  @Get()
  @ApiOperation({
    operationId: 'listTransferOffers',
    summary: 'List the calls that are offered to the caller now',
    description:
      'Calls whose assistant transfers the customer to the people of the account, oldest first. A person who takes no calls ' +
      '(`PUT /user/me/availability`), or has taken over one, has none; an API key reads all of the account. The event `transfer-offer` of ' +
      '`GET /user/events` says when to read the list again.',
  })
  @ApiDataList(TransferOfferResponse)
  async list(@Caller() caller: Principal) {
    const offers = await this.answers.list(caller);
    return { data: offers.map(toTransferOfferResponse) };
  }

  @Post(':id/accept')
  @ApiOperation({
    operationId: 'acceptTransferOffer',
    summary: 'Accept a call that is offered',
    description:
      'The caller has the customer when the answer comes, in place of the assistant, and opens the WebSocket as ' +
      '`POST /user/calls/{id}/monitor` describes. Without a connection within 10 seconds the assistant has the customer again. ' +
      'The answer is 409 when another person was faster, or when the offer or the call is over, and 503 when no voice process ' +
      'has the call.',
  })
  @ApiReply(MonitorGrantResponse)
  @ApiMessageErrors(409, 503)
  async accept(@Caller() caller: Principal, @IdParam() id: number, @CurrentOrigin() origin: string) {
    const { callId, grant } = await this.answers.accept(caller, id);
    return reply('transfer_offers.accepted', toMonitorGrantResponse(callId, grant, origin));
  }

  @Post(':id/decline')
  @ApiOperation({
    operationId: 'declineTransferOffer',
    summary: 'Decline a call that is offered',
    description:
      'It rings on for others. When all who take calls have declined, the assistant calls `supervisor_phone`, or continues. The ' +
      'answer is 409 when the offer is over.',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(409)
  async decline(@Caller() caller: Principal, @IdParam() id: number) {
    await this.answers.decline(caller, id);
    return done('transfer_offers.declined');
  }
}
