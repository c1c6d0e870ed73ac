import { ApiProperty } from '@nestjs/swagger';
import { NullableEnum, NumberedResponse } from '../../../common/http/response-fields.js';
import { NAMED_COLORS } from '../../../common/http/named-colors.js';
import type { CountedFolder } from '../folders.service.js';

export class FolderResponse extends NumberedResponse {
  @ApiProperty({ example: 'Support', description: 'Name, for people' })
  declare name: string;

  @NullableEnum(NAMED_COLORS, { description: 'Colour of the folder' })
  declare color: string | null;

  @ApiProperty({ type: 'integer', description: 'Assistants in the folder' })
  declare assistants_count: number;
}

/** The short page object. */
export class FolderPageResponse {
  @ApiProperty({ type: [FolderResponse], description: 'The folders of this page' })
  declare data: FolderResponse[];

  @ApiProperty({ type: 'integer', description: 'Number of this page, from 1' })
  declare current_page: number;

  @ApiProperty({ type: 'integer', description: 'Rows of a page' })
  declare per_page: number;

  @ApiProperty({ type: 'integer', description: 'Rows of all pages' })
  declare total: number;
}

export function toFolderResponse({ folder, assistantsCount }: CountedFolder): FolderResponse {
  return {
    id: folder.id,
    name: folder.name,
    color: folder.color,
    assistants_count: assistantsCount,
  };
}
