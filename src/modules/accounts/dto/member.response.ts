import { ApiProperty } from '@nestjs/swagger';
import { DatedResponse } from '../../../common/http/response-fields.js';
import type { Invitation } from '../members/invitation.entity.js';
import type { Member } from '../members/member.entity.js';
import { ROLES } from '../members/role.js';
import type { SentInvitation } from '../members/invitations.service.js';

class MemberResponse extends DatedResponse {
  @ApiProperty({ example: 'Bia', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({ example: 'bia@example.com', description: 'Email address of the member' })
  declare email: string;

  @ApiProperty({ enum: ROLES, description: 'What the person may do' })
  declare role: string;
}

class InvitationResponse extends DatedResponse {
  @ApiProperty({ example: 'bia@example.com', description: 'Email address of the invited person' })
  declare email: string;

  @ApiProperty({ enum: ROLES, description: 'What the person may do, once the invitation is accepted' })
  declare role: string;

  @ApiProperty({ format: 'date-time', description: 'Until when it can be accepted' })
  declare expires_at: string;
}

export class CreatedInvitationResponse extends InvitationResponse {
  @ApiProperty({ description: 'The secret of the invitation; shown only this once', example: 'prosa_inv_…' })
  declare token: string;

  @ApiProperty({
    description: 'Whether the link goes out by e-mail. If not, pass it on yourself',
    example: false,
  })
  declare emailed: boolean;
}

export class MembersResponse {
  @ApiProperty({ type: [MemberResponse], description: 'Without the owner of the account' })
  declare members: MemberResponse[];

  @ApiProperty({ type: [InvitationResponse], description: 'Invitations that can still be accepted' })
  declare invitations: InvitationResponse[];
}

export function toMembersResponse(
  members: readonly Member[],
  invitations: readonly Invitation[],
): MembersResponse {
  return {
    members: members.map(({ id, name, email, role, createdAt }) => ({
      id,
      name,
      email,
      role,
      created_at: createdAt.toISOString(),
    })),
    invitations: invitations.map(toInvitationResponse),
  };
}

export function toCreatedInvitationResponse({
  invitation,
  token,
  isEmailed,
}: SentInvitation): CreatedInvitationResponse {
  return Object.assign(toInvitationResponse(invitation), { token, emailed: isEmailed });
}

function toInvitationResponse({ id, email, role, expiresAt, createdAt }: Invitation): InvitationResponse {
  return {
    id,
    email,
    role,
    expires_at: expiresAt.toISOString(),
    created_at: createdAt.toISOString(),
  };
}
