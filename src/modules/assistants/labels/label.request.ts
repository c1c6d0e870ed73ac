import { PartialType } from '@nestjs/swagger';
import { EnumField, StringField } from '../../../common/http/fields.js';
import { type NamedColor, NAMED_COLORS } from '../../../common/http/named-colors.js';

export class CreateLabelRequest {
  @StringField({ max: 255, description: 'Unique within the account', example: 'VIP' })
  declare name: string;

  @EnumField(NAMED_COLORS, {
    optional: true,
    nullable: true,
    example: 'blue',
    description: 'Colour of the label',
  })
  declare color?: NamedColor | null;
}

/** All optional; null removes the color. */
export class UpdateLabelRequest extends PartialType(CreateLabelRequest, { skipNullProperties: false }) {}
