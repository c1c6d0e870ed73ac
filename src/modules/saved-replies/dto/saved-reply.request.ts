import { PartialType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { StringField } from '../../../common/http/fields.js';
import { savedRepliesTexts } from '../saved-replies.texts.js';

const SHORTCUT = /^[\p{L}\p{N}-]+$/u;

export class CreateSavedReplyRequest {
  // Checked as it is stored. A letter with an accent can be written as one character or as two.
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.toLowerCase().normalize('NFC') : value,
  )
  @StringField({
    max: 40,
    pattern: { regex: SHORTCUT, key: savedRepliesTexts('saved_replies.shortcut') },
    description: 'Letters, digits and hyphens, unique within the account in any case, and kept in lowercase',
    example: 'horario',
  })
  declare shortcut: string;

  @StringField({
    max: 2_000,
    description: 'The reply; {{name}} is replaced by a variable of the conversation',
    example: 'Olá, {{name}}! Atendemos de segunda a sexta, das 9h às 18h.',
  })
  declare text: string;
}

/** All optional. */
export class UpdateSavedReplyRequest extends PartialType(CreateSavedReplyRequest, {
  skipNullProperties: false,
}) {}
