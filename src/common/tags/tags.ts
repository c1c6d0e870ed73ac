import { ApiProperty } from '@nestjs/swagger';
import { NamesField } from '../http/fields/list-fields.js';
import { StringField } from '../http/fields.js';

const MOST_TAGS = 10;
const MAX_TAG_LENGTH = 40;

/** What a call or a conversation is tagged with. */
export class TagsRequest {
  @NamesField({
    max: MAX_TAG_LENGTH,
    maxItems: MOST_TAGS,
    description: 'In place of those before',
    example: ['reclamação'],
  })
  declare tags: string[];
}

export class TagsResponse {
  @ApiProperty({ type: [String], example: ['reclamação'], description: 'Sorted' })
  declare tags: string[];
}

/** A filter of lists. */
export function TagQuery(): PropertyDecorator {
  return StringField({
    optional: true,
    filled: true,
    max: MAX_TAG_LENGTH,
    description: 'Only those with this tag',
    example: 'reclamação',
  });
}

/** Tags as they are stored: sorted, each once, without blanks around them. */
export function storedTags(given: readonly string[]): string[] {
  return [...new Set(given.map((tag) => tag.trim()).filter((tag) => tag !== ''))].toSorted();
}
