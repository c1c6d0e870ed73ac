import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForVisitors } from '../../common/auth/guards.js';
import { ApiOk, ApiStatusErrors } from '../../common/http/api-docs.js';
import { UuidParam } from '../../common/http/id-param.js';
import { CurrentOrigin } from '../../common/http/requests/current-origin.js';
import { CurrentVisitor } from '../visitors/current-visitor.js';
import type { Visitor } from '../visitors/visitor.js';
import { OpenWebCallRequest, toVisitorCall } from './dto/web-call.request.js';
import {
  PublicWebCallResponse,
  toPublicWebCallResponse,
  WebCallOfferResponse,
} from './dto/web-call.response.js';
import { WebCallsService } from './web-calls.service.js';

/** What a page calls: no token, the assistant's uuid is the capability. */
@ApiTags('Calls')
@Controller('web-calls')
export class PublicWebCallsController {
  constructor(private readonly webCalls: WebCallsService) {}

  @Post()
  @ForVisitors()
  @ApiOperation({
    operationId: 'openWebCall',
    summary: 'Call an assistant from a browser',
    description:
      'The sound goes over a WebSocket at `url`, whose first message is `{"type":"start","token":"…"}`.',
  })
  @ApiOk(PublicWebCallResponse, { status: 201 })
  @ApiStatusErrors(400, 403, 404, 422)
  async open(
    @CurrentVisitor() visitor: Visitor,
    @Body() body: OpenWebCallRequest,
    @CurrentOrigin() origin: string,
  ): Promise<PublicWebCallResponse> {
    return toPublicWebCallResponse(await this.webCalls.openForVisitor(visitor, toVisitorCall(body)), origin);
  }

  @Get(':uuid')
  @ApiOperation({
    operationId: 'getWebCallOffer',
    summary: 'Read whether visitors can call an assistant from a browser, by its uuid',
  })
  @ApiOk(WebCallOfferResponse)
  @ApiStatusErrors(403)
  async offer(@CurrentVisitor() visitor: Visitor, @UuidParam() uuid: string): Promise<WebCallOfferResponse> {
    return { status: true, available: await this.webCalls.isOffered(visitor, uuid) };
  }
}
