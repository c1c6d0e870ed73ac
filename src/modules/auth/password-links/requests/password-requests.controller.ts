import { Body, Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiMessageErrors, ApiOk, MessageResponse } from '#src/common/http/api-docs.js';
import { done } from '#src/common/http/reply.js';
import { LimitCredentials } from '#src/common/limits/rate-limits.guard.js';
import { ForgottenPasswordRequest } from '../../dto/auth.request.js';
import { PasswordRequestsService } from './password-requests.service.js';

@ApiTags('Sessions')
@Controller('auth/password')
export class PasswordRequestsController {
  constructor(private readonly requests: PasswordRequestsService) {}

  @Post('forgot')
  @LimitCredentials()
  @ApiOperation({
    operationId: 'requestPasswordLink',
    summary: 'Ask for a link to set a new password, by e-mail',
    description:
      'The answer is the same for every e-mail. The link is valid for an hour and once; five a day are sent to a person. ' +
      '409 means that the server has no mail server.',
  })
  @ApiOk(MessageResponse)
  @ApiMessageErrors(403, 409)
  async request(@Body() { email }: ForgottenPasswordRequest) {
    await this.requests.request(email);
    return done('emails.password_requested');
  }
}
