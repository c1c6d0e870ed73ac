import { ApiProperty } from '@nestjs/swagger';
import { DatedResponse, NullableText } from '#src/common/http/response-fields.js';
import { StringField } from '#src/common/http/fields.js';
import type { CallNote } from '../call-note.entity.js';

export class AddCallNoteRequest {
  @StringField({
    filled: true,
    max: 2_000,
    description: 'For the people of the account',
    example: 'Ligar na terça.',
  })
  declare text: string;
}

export class CallNoteResponse extends DatedResponse {
  @NullableText({
    example: 'Ana Souza',
    description: 'The member who wrote it; null for the owner of the account and for API keys',
  })
  declare author_name: string | null;

  @ApiProperty({ example: 'Ligar na terça.', description: 'What was noted' })
  declare text: string;
}

export function toCallNoteResponse({ id, authorName, text, createdAt }: CallNote): CallNoteResponse {
  return { id, author_name: authorName, text, created_at: createdAt.toISOString() };
}
