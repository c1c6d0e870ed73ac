import { ApiProperty, PartialType, PickType } from '@nestjs/swagger';
import { EnumField, IntegerQuery, ObjectsField, StringField } from '../../../common/http/fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../documents/document.entity.js';

const MAX_LINKS = 50;

export class LinkRequest {
  @UrlField({ example: 'https://example.com/prices', description: 'Address of a page' })
  declare link: string;
}

export class CreateDocumentRequest {
  @StringField({ max: 255, example: 'Company website', description: 'Name, for people' })
  declare name: string;

  @StringField({
    max: 255,
    optional: true,
    nullable: true,
    description: 'What it is for, in your own words',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;

  @EnumField(DOCUMENT_TYPES, { description: 'Kind' })
  declare type: DocumentType;

  @UrlField({ optional: true, description: 'Websites: where to begin; needed unless there are links' })
  declare url?: string;

  @ObjectsField(() => LinkRequest, {
    optional: true,
    minItems: 1,
    maxItems: MAX_LINKS,
    description: 'More pages to read',
  })
  declare links?: LinkRequest[];

  /** Text in a multipart body, a number in a JSON body. */
  @IntegerQuery({
    min: 1,
    max: 50,
    default: 10,
    description: 'Websites: how many more pages of the same site to read by following links',
  })
  declare relative_links_limit?: number;

  @ApiProperty({
    type: 'string',
    format: 'binary',
    required: false,
    description: 'Files: at most 20 MB, in a multipart body',
  })
  declare file?: unknown;
}

/** The content cannot be replaced. */
export class UpdateDocumentRequest extends PartialType(
  PickType(CreateDocumentRequest, ['name', 'description']),
  { skipNullProperties: false },
) {}
