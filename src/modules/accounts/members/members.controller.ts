import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiOk, ApiMessageErrors, ApiReply, MessageResponse } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { done, reply } from '../../../common/http/reply.js';
import { InviteRequest, MemberRoleRequest } from '../dto/member.request.js';
import {
  CreatedInvitationResponse,
  MembersResponse,
  toCreatedInvitationResponse,
  toMembersResponse,
} from '../dto/member.response.js';
import { InvitationsService } from './invitations.service.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@ForUser()
@Controller('user')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get('members')
  @ApiOperation({ operationId: 'listMembers', summary: 'List members, and invitations that are open' })
  @ApiOk(MembersResponse)
  async list(@Caller() { userId }: Principal) {
    return toMembersResponse(await this.members.list(userId), await this.members.invitations(userId));
  }

  @Put('members/:id')
  @ApiOperation({
    operationId: 'updateMember',
    summary: 'Change the role of a member, from the next request on',
  })
  @ApiOk(MessageResponse)
  async update(@Caller() { userId }: Principal, @IdParam() id: number, @Body() { role }: MemberRoleRequest) {
    await this.members.changeRole(userId, id, role);
    return done('members.updated');
  }

  @Delete('members/:id')
  @ApiOperation({
    operationId: 'removeMember',
    summary: 'Take a person out of the account, and end their sessions',
  })
  @ApiOk(MessageResponse)
  async remove(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.members.remove(userId, id);
    return done('members.removed');
  }

  @Post('invitations')
  @ApiOperation({
    operationId: 'inviteMember',
    summary: 'Invite a person, by e-mail or by a token that is shown only this once',
    description:
      'The link is sent by e-mail where the server has a mail server, as `emailed` says; otherwise pass the token on. The ' +
      'person gives it to `POST /auth/join`, within a week and once. A second invitation to an address ends the first.',
  })
  @ApiReply(CreatedInvitationResponse, 201)
  @ApiMessageErrors(422)
  async invite(@Caller() { userId }: Principal, @Body() { email, role }: InviteRequest) {
    return reply(
      'members.invited',
      toCreatedInvitationResponse(await this.invitations.invite({ userId, email, role })),
    );
  }

  @Delete('invitations/:id')
  @ApiOperation({ operationId: 'deleteInvitation', summary: 'Call an invitation back' })
  @ApiOk(MessageResponse)
  async callBack(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.members.callBack(userId, id);
    return done('members.invitation_deleted');
  }
}
