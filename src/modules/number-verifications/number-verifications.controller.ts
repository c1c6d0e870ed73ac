import { Body, Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../common/auth/guards.js';
import { Caller, type Principal } from '../../common/auth/principal.js';
import { ActsOutside } from '../../common/http/acts-outside.js';
import {
  ApiOk,
  ApiData,
  ApiDataList,
  ApiErrorBody,
  ApiReply,
  MessageResponse,
} from '../../common/http/api-docs.js';
import { IdParam } from '../../common/http/id-param.js';
import { done, reply } from '../../common/http/reply.js';
import { Idempotent } from '../idempotency/idempotent.js';
import { ConfirmVerificationRequest, RequestVerificationRequest } from './dto/number-verification.request.js';
import {
  NumberVerificationResponse,
  toNumberVerificationResponse,
  toVerifiedNumberResponse,
  VerifiedNumberResponse,
} from './dto/number-verification.response.js';
import { verificationText } from './verification.texts.js';
import { NumberVerificationsService } from './number-verifications.service.js';
import { VerificationConfirmationsService } from './verification-confirmations.service.js';
import { VerificationRequestsService } from './verification-requests.service.js';

@ApiTags('Phone numbers')
@ForUser()
@Controller('user/phone-numbers')
export class NumberVerificationsController {
  constructor(
    private readonly verifications: NumberVerificationsService,
    private readonly requests: VerificationRequestsService,
    private readonly confirmations: VerificationConfirmationsService,
  ) {}

  @Post('verifications')
  @ActsOutside()
  @Idempotent()
  @ApiOperation({
    operationId: 'requestNumberVerification',
    summary: 'Have a number called and a code of six digits spoken there, which proves that it is yours',
    description:
      'The person who answers presses the requested key, and hears the code twice. The call is made from a number that the account ' +
      'rents from the installation, and charged as a line.',
  })
  @ApiReply(NumberVerificationResponse, 201)
  @ApiErrorBody(400, 402, 409, 422, 503)
  async request(@Caller() { userId }: Principal, @Body() body: RequestVerificationRequest) {
    const verification = await this.requests.request(userId, body);
    return reply(verificationText('verifications.requested'), toNumberVerificationResponse(verification));
  }

  @Get('verifications')
  @ApiOperation({
    operationId: 'listNumberVerifications',
    summary: 'List the verifications that were asked for, the newest first, at most 50',
  })
  @ApiDataList(NumberVerificationResponse)
  async list(@Caller() { userId }: Principal) {
    return { data: (await this.verifications.list(userId)).map(toNumberVerificationResponse) };
  }

  @Get('verifications/:id')
  @ApiOperation({ operationId: 'getNumberVerification', summary: 'Read the state of a verification' })
  @ApiData(NumberVerificationResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: toNumberVerificationResponse(await this.verifications.get(userId, id)) };
  }

  @Post('verifications/:id/confirm')
  @ApiOperation({
    operationId: 'confirmNumberVerification',
    summary: 'Send the code that was spoken: the number is verified',
    description:
      'All numbers of the account with these digits are verified; where it has none, one of the type `caller_id` is added.',
  })
  @ApiReply(VerifiedNumberResponse)
  @ApiErrorBody(400, 409)
  async confirm(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() { code }: ConfirmVerificationRequest,
  ) {
    const number = await this.confirmations.confirm(userId, id, code);
    return reply(verificationText('verifications.confirmed'), toVerifiedNumberResponse(number));
  }

  @Delete('verifications/:id')
  @ApiOperation({
    operationId: 'cancelNumberVerification',
    summary: 'Cancel a verification: its code is worth nothing any more',
  })
  @ApiOk(MessageResponse)
  @ApiErrorBody(409)
  async cancel(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.verifications.cancel(userId, id);
    return done(verificationText('verifications.cancelled'));
  }

  @Get('verified')
  @ApiOperation({
    operationId: 'listVerifiedNumbers',
    summary: 'List the own numbers that are verified, the oldest first',
  })
  @ApiDataList(VerifiedNumberResponse)
  async listVerified(@Caller() { userId }: Principal) {
    return { data: (await this.verifications.listVerified(userId)).map(toVerifiedNumberResponse) };
  }
}
