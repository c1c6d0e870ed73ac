import { PartialType } from '@nestjs/swagger';
import { StringField } from '../../../common/http/fields.js';

export class CreateKnowledgebaseRequest {
  @StringField({ max: 255, example: 'Products and prices', description: 'Name, for people' })
  declare name: string;

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'Null means none',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;
}

/** Documents and their processing are not affected. */
export class UpdateKnowledgebaseRequest extends PartialType(CreateKnowledgebaseRequest, {
  skipNullProperties: false,
}) {}

export class SearchKnowledgebaseRequest {
  @StringField({
    max: 1_000,
    description: 'A question, or key terms',
    example: 'How long does a delivery take?',
  })
  declare query: string;
}
