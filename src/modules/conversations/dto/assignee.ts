import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger } from '../../../common/http/response-fields.js';
import { BooleanField, IdField } from '../../../common/http/fields.js';
import type { Assignee } from '../inbox/conversation-list.repository.js';
import type { Assignment } from '../inbox/inbox.repository.js';

export class AssigneeRequest {
  @IdField({
    nullable: true,
    example: 7,
    description:
      'The id of a member; null removes the assignee, or with `owner` assigns the conversation to the owner',
  })
  declare member_id: number | null;

  @BooleanField({
    optional: true,
    description: 'Assign it to the owner of the account, who is no member',
  })
  declare owner?: boolean;
}

export class AssigneeResponse {
  @NullableInteger({ description: 'The id of the member; null for the owner of the account' })
  declare member_id: number | null;

  @ApiProperty({ description: 'Whether it is the owner of the account' })
  declare owner: boolean;

  @ApiProperty({ example: 'Bia', description: 'Name of the person' })
  declare name: string;
}

export class AssigneesResponse {
  @ApiProperty({ type: [AssigneeResponse], description: 'The owner first' })
  declare data: AssigneeResponse[];
}

/** A member who is named with `owner` is the assignee. */
export function assignmentOf({ member_id: memberId, owner = false }: AssigneeRequest): Assignment {
  return { memberId, isOwner: owner && memberId === null };
}

export function toAssigneeResponse({ memberId, name }: Assignee): AssigneeResponse {
  return { member_id: memberId, owner: memberId === null, name };
}
