import { ApiProperty, PickType } from '@nestjs/swagger';
import { TimestampedResponse } from '../../../common/http/response-fields.js';
import { say } from '../../../i18n/catalogue.js';
import { KNOWLEDGEBASE_STATUSES, type Knowledgebase } from '../knowledgebase.entity.js';
import type { KnowledgebaseDetails } from '../knowledgebases.service.js';

export class KnowledgebaseResponse extends TimestampedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({
    description: 'What it is for, in your own words',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;

  @ApiProperty({ enum: KNOWLEDGEBASE_STATUSES, description: 'State' })
  declare status: string;

  @ApiProperty({ example: 'Ativo', description: 'The status for people' })
  declare status_label: string;

  @ApiProperty({ type: 'integer', description: 'Documents in the knowledge base' })
  declare documents_count: number;

  @ApiProperty({ type: 'integer', description: 'Assistants that consult it' })
  declare assistants_count: number;
}

export class CreatedKnowledgebaseResponse extends PickType(KnowledgebaseResponse, [
  'id',
  'name',
  'description',
  'status',
  'status_label',
  'created_at',
  'updated_at',
]) {}

export class UpdatedKnowledgebaseResponse extends PickType(KnowledgebaseResponse, [
  'id',
  'name',
  'description',
  'status',
  'status_label',
  'updated_at',
]) {}

function commonFields({ id, name, description, status, updatedAt }: Knowledgebase) {
  return {
    id,
    name,
    description,
    status,
    status_label: say(`knowledgebases.status.${status}`),
    updated_at: updatedAt.toISOString(),
  };
}

export function toUpdatedKnowledgebase(knowledgebase: Knowledgebase): UpdatedKnowledgebaseResponse {
  return commonFields(knowledgebase);
}

export function toCreatedKnowledgebase(knowledgebase: Knowledgebase): CreatedKnowledgebaseResponse {
  return { ...commonFields(knowledgebase), created_at: knowledgebase.createdAt.toISOString() };
}

export function toKnowledgebaseResponse(knowledgebase: KnowledgebaseDetails): KnowledgebaseResponse {
  return {
    ...commonFields(knowledgebase),
    documents_count: knowledgebase.documentsCount,
    assistants_count: knowledgebase.assistantsCount,
    created_at: knowledgebase.createdAt.toISOString(),
  };
}
