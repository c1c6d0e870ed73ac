import { ApiProperty } from '@nestjs/swagger';
import {
  ACCOUNT_DELETION_STATUSES,
  type AccountDeletion,
  type AccountDeletionStatus,
} from '../deletion/account-deletion.entity.js';

export class AccountDeletionResponse {
  @ApiProperty({ type: 'integer', description: 'By which the operator finds it' })
  declare id: number;

  @ApiProperty({ enum: ACCOUNT_DELETION_STATUSES })
  declare status: AccountDeletionStatus;

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;
}

export function toAccountDeletionResponse({
  id,
  status,
  createdAt,
}: AccountDeletion): AccountDeletionResponse {
  return { id, status, created_at: createdAt.toISOString() };
}
