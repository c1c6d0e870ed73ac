import { ApiProperty } from '@nestjs/swagger';
import { NullableEnum, NumberedResponse } from '../../../common/http/response-fields.js';
import { NAMED_COLORS } from '../../../common/http/named-colors.js';
import type { CountedLabel } from './labels.service.js';

export class LabelResponse extends NumberedResponse {
  @ApiProperty({ example: 'VIP', description: 'Name, for people' })
  declare name: string;

  @NullableEnum(NAMED_COLORS, { description: 'Colour of the label' })
  declare color: string | null;

  @ApiProperty({ type: 'integer', description: 'Assistants with the label' })
  declare assistants_count: number;
}

/** The short page object. */
export class LabelPageResponse {
  @ApiProperty({ type: [LabelResponse], description: 'The labels of this page' })
  declare data: LabelResponse[];

  @ApiProperty({ type: 'integer', description: 'Number of this page, from 1' })
  declare current_page: number;

  @ApiProperty({ type: 'integer', description: 'Rows of a page' })
  declare per_page: number;

  @ApiProperty({ type: 'integer', description: 'Rows of all pages' })
  declare total: number;
}

export function toLabelResponse({ label, assistantsCount }: CountedLabel): LabelResponse {
  return {
    id: label.id,
    name: label.name,
    color: label.color,
    assistants_count: assistantsCount,
  };
}
