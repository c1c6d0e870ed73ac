import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  NullableEnum,
  NullableNumber,
  NullableText,
  TimestampedResponse,
} from '../../../common/http/response-fields.js';
import { render, say } from '../../../i18n/catalogue.js';
import { codeOf, FAILURE_CODES, valueOf } from '../failure.js';
import { renderUnread, type UnreadPart } from '../unread.js';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES, type Document } from '../documents/document.entity.js';

export class UnreadPartResponse {
  @ApiProperty({ type: String, enum: FAILURE_CODES, description: 'Why it could not be read, for programs' })
  declare code: string;

  @NullableNumber({ description: 'The number in the reason, as in status_reason_value' })
  declare value: number | null;

  @ApiProperty({
    type: [String],
    description: 'Numbers of pages of a PDF, or addresses of a website; at most 20',
  })
  declare pages: string[];

  @ApiProperty({ type: 'integer', description: 'How many pages were not read; 0 where the part is no page' })
  declare count: number;

  @ApiProperty({
    type: 'integer',
    description: 'How many pages the document has; 0 where the part is no page',
  })
  declare total: number;
}

export class DocumentResponse extends TimestampedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({
    description: 'What it is for, in your own words',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;

  @ApiProperty({ enum: DOCUMENT_TYPES, description: 'Kind' })
  declare type: string;

  @ApiProperty({ example: 'Site', description: 'The kind in words for people' })
  declare type_label: string;

  @ApiProperty({ enum: DOCUMENT_STATUSES, description: 'State' })
  declare status: string;

  @ApiProperty({ example: 'Ativo', description: 'The state in words for people' })
  declare status_label: string;

  @NullableText({
    description: 'Why it failed, or which part of an active document could not be read, for people',
  })
  declare status_reason: string | null;

  @NullableEnum(FAILURE_CODES, {
    description: 'Why it failed, or why the first unread part was not read, for programs',
    example: 'too_many_pages',
  })
  declare status_reason_code: string | null;

  @NullableNumber({
    description: 'The number in the reason: most pages, most seconds, or the HTTP status of a page',
    example: 500,
  })
  declare status_reason_value: number | null;

  @ApiProperty({
    type: [UnreadPartResponse],
    description:
      'Parts of an active document that could not be read; its status_reason says the same in words',
  })
  declare unread: UnreadPartResponse[];

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Percent of the work that is done' })
  declare progress: number;
}

export class CreatedDocumentResponse extends OmitType(DocumentResponse, ['updated_at']) {}

export class UpdatedDocumentResponse extends OmitType(DocumentResponse, ['created_at']) {}

export function toDocumentResponse(document: Document): DocumentResponse {
  const unread = document.unread ?? [];
  const reason = document.failure ?? unread[0]?.reason ?? null;
  return {
    id: document.id,
    name: document.name,
    description: document.description,
    type: document.type,
    type_label: say(`documents.type.${document.type}`),
    status: document.status,
    status_label: say(`knowledgebases.status.${document.status}`),
    status_reason: document.failure ? render(document.failure, 'pt') : reasonInWords(unread),
    status_reason_code: reason && codeOf(reason),
    status_reason_value: reason && valueOf(reason),
    unread: unread.map((part) => ({
      code: codeOf(part.reason),
      value: valueOf(part.reason),
      pages: [...part.pages],
      count: part.count,
      total: part.total,
    })),
    progress: document.progressPercent,
    created_at: document.createdAt.toISOString(),
    updated_at: document.updatedAt.toISOString(),
  };
}

export function toCreatedDocument(document: Document): CreatedDocumentResponse {
  const { updated_at: _, ...created } = toDocumentResponse(document);
  return created;
}

export function toUpdatedDocument(document: Document): UpdatedDocumentResponse {
  const { created_at: _, ...updated } = toDocumentResponse(document);
  return updated;
}

function reasonInWords(unread: readonly UnreadPart[]): string | null {
  return unread.length === 0 ? null : unread.map((part) => renderUnread(part, 'pt')).join(' ');
}
