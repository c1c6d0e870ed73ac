import { Controller, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiMessageErrors, ApiReply } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { reply } from '../../../common/http/reply.js';
import { PasswordLinkResponse, toPasswordLinkResponse } from '../dto/password-link.response.js';
import { PasswordEmailsService } from './password-emails.service.js';

@ApiTags('Members')
@ForUser()
@Controller('user/members')
export class PasswordLinksController {
  constructor(private readonly links: PasswordEmailsService) {}

  @Post(':id/password-link')
  @ApiOperation({
    operationId: 'createPasswordLink',
    summary: 'Let a member set a new password, by e-mail or by a token that is shown only this once',
    description:
      'For a member who has forgotten the password, which stays valid until another one is set. The link is sent by ' +
      'e-mail where the server has a mail server, as `emailed` says; otherwise pass the token on. The person gives the token to `POST /auth/password/reset`, within a day and once. A second link ends the ' +
      'first; ten a day can be made for a person. Callers make none for themselves.',
  })
  @ApiReply(PasswordLinkResponse, 201)
  @ApiMessageErrors(400)
  async create(@Caller() caller: Principal, @IdParam() id: number) {
    return reply('members.password_link', toPasswordLinkResponse(await this.links.makeForMember(caller, id)));
  }
}
