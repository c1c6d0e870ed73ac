import { ApiProperty } from '@nestjs/swagger';
import { NullableEnum, NullableInteger, NullableText } from '../../../common/http/response-fields.js';
import type { AuditLogEntry } from '../audit-log-entry.entity.js';
import type { LogPage } from '../audit-log.service.js';
import { CHANGE_REASONS, type ChangeReason } from '../change-reason.js';
import { cursorOf } from './audit-log.request.js';

export class AuditLogEntryResponse {
  @ApiProperty({ format: 'uuid', description: 'Identifier' })
  declare id: string;

  @ApiProperty({
    enum: ['api-key', 'session', 'operator', 'platform'],
    description:
      'What the caller showed, or the session that a sign-in asked for; `operator` for a command on the server, `platform` ' +
      'for a change that no caller asked for',
  })
  declare via: AuditLogEntry['via'];

  @NullableInteger({
    description: 'Id of the API key or session; null for a refused sign-in, the operator and the platform',
  })
  declare token_id: number | null;

  @NullableInteger({
    description:
      'The member who was signed in, or was refused; null for the owner of the account, and for API keys',
  })
  declare member_id: number | null;

  @NullableText({
    example: 'Bia',
    description: 'Name of the member; null too when the member has been removed',
  })
  declare member_name: string | null;

  @NullableText({
    description:
      'Where the request came from, without the part that names one machine; null for the operator and the platform',
    example: '203.0.113.0/24',
  })
  declare network: string | null;

  @ApiProperty({
    description:
      'The operation, by its id in the OpenAPI document; `activateAssistant` by the platform alone, and commands such as ' +
      '`account.set` by the operator alone',
    example: 'deleteLead',
  })
  declare action: string;

  @NullableEnum(CHANGE_REASONS, {
    description: 'Why the platform made the change; null for what a caller asked for',
  })
  declare reason: ChangeReason | null;

  @NullableText({
    description: 'What it was done to; null where there is none, and when the request was refused',
    example: '12',
  })
  declare resource_id: string | null;

  @NullableInteger({
    description:
      'Of the answer, 200 for each sign-in that succeeds and each command; null while it runs, and when the outcome is unknown because the process died',
    example: 200,
  })
  declare status: number | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

export class AuditLogResponse {
  @ApiProperty({ type: [AuditLogEntryResponse], description: 'Newest first' })
  declare data: AuditLogEntryResponse[];

  @NullableText({ description: 'Null on the last page' })
  declare next_cursor: string | null;
}

export function toAuditLogResponse({ entries, names, next }: LogPage): AuditLogResponse {
  return { data: entries.map((entry) => toEntryResponse(entry, names)), next_cursor: next && cursorOf(next) };
}

export function toEntryResponse(entry: AuditLogEntry, names: LogPage['names']): AuditLogEntryResponse {
  const { id, via, tokenId, memberId, network, action, reason, resourceId, status, createdAt } = entry;
  return {
    id,
    via,
    token_id: tokenId,
    member_id: memberId,
    member_name: (memberId !== null && names.get(memberId)) || null,
    network,
    action,
    reason,
    resource_id: resourceId,
    status,
    created_at: createdAt.toISOString(),
  };
}
