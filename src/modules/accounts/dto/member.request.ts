import { EmailField, EnumField } from '../../../common/http/fields.js';
import { type Role, ROLES } from '../members/role.js';

const ROLE = 'owner: everything; operator: conversations, calls and campaigns; viewer: reading alone';

export class InviteRequest {
  @EmailField({ description: 'Neither that of an account nor of a member' })
  declare email: string;

  @EnumField(ROLES, { description: ROLE, example: 'operator' })
  declare role: Role;
}

export class MemberRoleRequest {
  @EnumField(ROLES, { description: ROLE, example: 'viewer' })
  declare role: Role;
}
