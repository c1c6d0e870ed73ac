import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '../../../common/http/api-docs.js';
import { DatedResponse, NullableMoment } from '../../../common/http/response-fields.js';
import { SCOPES } from '../../../common/auth/scope.js';
import { say } from '../../../i18n/catalogue.js';
import type { ApiKey } from '../api-key.entity.js';
import type { CreatedApiKey } from '../api-keys.service.js';

class NewApiKeyResponse {
  @ApiProperty({ example: 'CRM', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({ description: 'The secret; shown only this once', example: 'prosa_…' })
  declare token: string;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

export class CreatedApiKeyResponse extends MessageResponse {
  @ApiProperty({ type: NewApiKeyResponse })
  declare api_key: NewApiKeyResponse;
}

class ApiKeyResponse extends DatedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...SCOPES] },
    nullable: true,
    description: 'What it may do; null for everything',
  })
  declare scopes: string[] | null;

  @ApiProperty({ description: 'Whether it is a key for pages, which opens conversations as a visitor does' })
  declare publishable: boolean;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', example: 'https://shop.example' },
    nullable: true,
    description: 'Pages it may be used from; null for anywhere',
  })
  declare allowed_origins: string[] | null;

  @NullableMoment('When it stops working; null for never')
  declare expires_at: string | null;

  @NullableMoment('When it was used last, to the minute')
  declare last_used_at: string | null;
}

export class ApiKeyListResponse {
  @ApiProperty({ type: [ApiKeyResponse], description: 'Keys of the account, without their secrets' })
  declare api_keys: ApiKeyResponse[];
}

export function toCreatedResponse({ key, token }: CreatedApiKey): CreatedApiKeyResponse {
  return {
    message: say('api_keys.created'),
    api_key: { name: key.name, token, created_at: key.createdAt.toISOString() },
  };
}

export function toListResponse(keys: readonly ApiKey[]): ApiKeyListResponse {
  return {
    api_keys: keys.map((key) => ({
      id: key.id,
      name: key.name,
      scopes: key.scopes,
      publishable: key.isPublishable,
      allowed_origins: key.allowedOrigins,
      expires_at: key.expiresAt?.toISOString() ?? null,
      last_used_at: key.lastUsedAt?.toISOString() ?? null,
      created_at: key.createdAt.toISOString(),
    })),
  };
}
