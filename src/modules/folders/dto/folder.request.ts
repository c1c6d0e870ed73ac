import { PartialType } from '@nestjs/swagger';
import { EnumField, StringField } from '../../../common/http/fields.js';
import { type NamedColor, NAMED_COLORS } from '../../../common/http/named-colors.js';

export class CreateFolderRequest {
  @StringField({ max: 255, description: 'Unique within the account', example: 'Support' })
  declare name: string;

  @EnumField(NAMED_COLORS, {
    optional: true,
    nullable: true,
    example: 'blue',
    description: 'Colour of the folder',
  })
  declare color?: NamedColor | null;
}

/** All optional; null removes the color. */
export class UpdateFolderRequest extends PartialType(CreateFolderRequest, { skipNullProperties: false }) {}
