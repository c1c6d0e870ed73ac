import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText, NumberedResponse } from '../../../common/http/response-fields.js';
import type { AlertRow } from '../alerts.repository.js';

export class AlertResponse extends NumberedResponse {
  @ApiProperty({ example: 'daily_spend_per_assistant', description: 'Which limit has refused visitors' })
  declare limit: string;

  @ApiProperty({ example: 10, description: 'The limit: a number of things, or US dollars' })
  declare value: number;

  @NullableInteger({ description: "Null for the account's limit and a deleted assistant" })
  declare assistant_id: number | null;

  @NullableText({ format: 'uuid', description: 'Public id of the assistant' })
  declare assistant_uuid: string | null;

  @NullableText({ description: 'Name of the assistant when it happened', example: 'Recepção' })
  declare assistant_name: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it refused a request for the first time that day' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When the window of that first refusal ends' })
  declare resets_at: string;
}

export function toAlertResponse(row: AlertRow): AlertResponse {
  return {
    id: row.id,
    limit: row.limitName,
    value: row.value,
    assistant_id: row.assistantId,
    assistant_uuid: row.assistantUuid,
    assistant_name: row.assistantName,
    created_at: row.createdAt.toISOString(),
    resets_at: row.resetsAt.toISOString(),
  };
}
