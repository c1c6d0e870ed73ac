import { ApiProperty, OmitType } from '@nestjs/swagger';
import { render, say } from '../../../i18n/catalogue.js';
import { codeOf, FAILURE_CODES, valueOf } from '../failure.js';
import { DOCUMENT_STATUSES, DOCUMENT_TYPES, type Document } from '../documents/document.entity.js';

export class DocumentResponse {
  @ApiProperty({ type: 'integer' })
  declare id: number;

  @ApiProperty()
  declare name: string;

  @ApiProperty()
  declare description: string;

  @ApiProperty({ enum: DOCUMENT_TYPES })
  declare type: string;

  @ApiProperty({ example: 'Site' })
  declare type_label: string;

  @ApiProperty({ enum: DOCUMENT_STATUSES })
  declare status: string;

  @ApiProperty({ example: 'Ativo' })
  declare status_label: string;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed, for people' })
  declare status_reason: string | null;

  @ApiProperty({
    type: String,
    enum: [...FAILURE_CODES, null],
    nullable: true,
    description: 'Why it failed, for programs, and for pages in languages of their own',
    example: 'too_many_pages',
  })
  declare status_reason_code: string | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'The number in the reason: most pages, most seconds, or the HTTP status of a page',
    example: 500,
  })
  declare status_reason_value: number | null;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100, description: 'Percent of the work that is done' })
  declare progress: number;

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time' })
  declare updated_at: string;
}

export class CreatedDocumentResponse extends OmitType(DocumentResponse, ['updated_at']) {}

export class UpdatedDocumentResponse extends OmitType(DocumentResponse, ['created_at']) {}

export function toDocumentResponse(document: Document): DocumentResponse {
  return {
    id: document.id,
    name: document.name,
    description: document.description,
    type: document.type,
    type_label: say(`documents.type.${document.type}`),
    status: document.status,
    status_label: say(`knowledgebases.status.${document.status}`),
    status_reason: document.failure && render(document.failure, 'pt'),
    status_reason_code: document.failure && codeOf(document.failure),
    status_reason_value: document.failure && valueOf(document.failure),
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
