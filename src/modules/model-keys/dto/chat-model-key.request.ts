import { StringField } from '../../../common/http/fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { ApiKeyField } from './api-key-field.js';

export class PutChatModelKeyRequest {
  @UrlField({
    optional: true,
    nullable: true,
    description:
      'A server that speaks as OpenAI does, up to and with the version; null: that of OpenAI. Left out, the stored one stays',
    example: 'https://llm.example.com/v1',
  })
  declare base_url?: string | null;

  @ApiKeyField()
  declare api_key?: string;

  @StringField({
    optional: true,
    nullable: true,
    filled: true,
    max: 200,
    description:
      'Answers for every assistant in place of the model it names; null: the one it names, or the first that the server lists and that can chat',
    example: 'llama-3.3-70b-versatile',
  })
  declare model?: string | null;
}
