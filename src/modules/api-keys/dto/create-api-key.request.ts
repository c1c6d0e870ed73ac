import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, ValidateIf } from 'class-validator';
import { type Scope, SCOPES } from '../../../common/auth/scope.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { BooleanField, StringField } from '../../../common/http/fields.js';
import { EachItem, issueText } from '../../../common/http/fields/field.js';
import { FutureField } from '../../../common/http/fields/time-fields.js';
import { OriginsField } from '../../../common/http/fields/url-fields.js';
import type { KeyLimits } from '../api-keys.repository.js';

function ScopesField(description: string): PropertyDecorator {
  const isScope = (item: unknown) => SCOPES.some((scope) => scope === item);
  return applyDecorators(
    ApiProperty({
      required: false,
      description,
      type: 'array',
      items: { type: 'string', enum: [...SCOPES] },
      minItems: 1,
      example: ['read', 'chat'],
    }),
    ValidateIf((_object, value) => value !== undefined),
    IsArray(issueText('validation.array')),
    ArrayMinSize(1, issueText('validation.min_items', { min: 1 })),
    EachItem('areScopes', isScope, 'validation.one_of', { values: SCOPES.join(', ') }),
    ArrayUnique(issueText('validation.distinct')),
  );
}

export class CreateApiKeyRequest {
  @StringField({ max: 255, description: 'Label of the key', example: 'CRM' })
  declare name: string;

  @ScopesField('What the key may do; everything when left out. See docs/reference/accounts.md')
  declare scopes?: Scope[];

  @BooleanField({
    optional: true,
    default: false,
    description:
      'A key for pages, which everybody can read: it opens conversations as a visitor does, and nothing else',
  })
  declare publishable?: boolean;

  @OriginsField({
    optional: true,
    minItems: 1,
    description: 'Pages the key may be used from, by the header `Origin`; anywhere when left out',
  })
  declare allowed_origins?: string[];

  @FutureField({ optional: true, description: 'When the key stops working; never when left out' })
  declare expires_at?: string;
}

/** @throws ValidationFailedError for a publishable key with scopes */
export function keyLimitsOf(request: CreateApiKeyRequest): KeyLimits {
  const { scopes, publishable = false, allowed_origins: origins, expires_at: expiresAt } = request;
  if (publishable && scopes) throw ValidationFailedError.of('scopes', 'api_keys.publishable_scopes');
  return {
    scopes: publishable ? [] : (scopes ?? null),
    isPublishable: publishable,
    allowedOrigins: origins ?? null,
    expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
  };
}
