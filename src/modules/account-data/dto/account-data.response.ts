import { ApiProperty } from '@nestjs/swagger';
import {
  DatedResponse,
  NullableEnum,
  NullableInteger,
  NullableMoment,
} from '../../../common/http/response-fields.js';
import {
  ACCOUNT_DELETION_STATUSES,
  type AccountDeletion,
  type AccountDeletionStatus,
} from '../deletion/account-deletion.entity.js';
import {
  ACCOUNT_EXPORT_FAILURES,
  ACCOUNT_EXPORT_STATUSES,
  type AccountExport,
  type AccountExportFailure,
  type AccountExportStatus,
} from '../exports/account-export.entity.js';

export class AccountDeletionResponse {
  @ApiProperty({ type: 'integer', description: 'By which the operator finds it' })
  declare id: number;

  @ApiProperty({ enum: ACCOUNT_DELETION_STATUSES, description: 'State' })
  declare status: AccountDeletionStatus;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

export function toAccountDeletionResponse({
  id,
  status,
  createdAt,
}: AccountDeletion): AccountDeletionResponse {
  return { id, status, created_at: createdAt.toISOString() };
}

export class AccountExportResponse extends DatedResponse {
  @ApiProperty({ enum: ACCOUNT_EXPORT_STATUSES, description: 'A `ready` one can be downloaded' })
  declare status: AccountExportStatus;

  @NullableEnum(ACCOUNT_EXPORT_FAILURES, {
    description: 'Why it failed: more than 4 GiB, or five starts came to nothing',
  })
  declare failure: AccountExportFailure | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'How far it is' })
  declare progress_percent: number;

  @NullableInteger({ description: 'Size of the archive' })
  declare bytes: number | null;

  @NullableMoment('It is deleted a week later')
  declare finished_at: string | null;
}

export function toAccountExportResponse(found: AccountExport): AccountExportResponse {
  const { id, status, failure, progressPercent, fileBytes, createdAt, finishedAt } = found;
  return {
    id,
    status,
    failure,
    progress_percent: progressPercent,
    bytes: fileBytes,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
