import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDefined, IsObject, ValidateNested } from 'class-validator';
import { issueText } from '../fields/field.js';
import { nestedAs } from './request-form.js';

/** The forms that an object may take; its field `type` selects one. */
export interface TypedForms {
  /** What an object of an unknown type is checked as, so that it is the type that is wrong. */
  readonly base: Type<object>;
  readonly forms: Readonly<Record<string, Type<object>>>;
}

interface ListOptions {
  readonly minItems: number;
  readonly maxItems: number;
  readonly description?: string;
  readonly example?: unknown;
}

/**
 * A list of objects that must be given, each checked by its own form. The controller names the forms in `ApiExtraModels`: they are reached
 * through no property's type.
 */
export function TypedListField(
  typed: TypedForms,
  { minItems, maxItems, ...docs }: ListOptions,
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      minItems,
      maxItems,
      items: oneOf(typed),
      ...docs,
    }),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? value.map((item) => toForm(typed, item)) : value,
    ),
    IsDefined(issueText('validation.required')),
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    ValidateNested({
      each: true,
      ...issueText('validation.object'),
      ...nestedAs((item) => formOf(typed, item)),
    }),
  );
}

/** One object that must be given, checked by its own form. The controller names the forms in `ApiExtraModels`. */
export function TypedField(
  typed: TypedForms,
  docs: { readonly description: string; readonly example: unknown },
): PropertyDecorator {
  return applyDecorators(
    ApiProperty({ ...oneOf(typed), ...docs }),
    Transform(({ value }: { value: unknown }) => toForm(typed, value)),
    IsDefined(issueText('validation.required')),
    IsObject(issueText('validation.object')),
    ValidateNested({ ...issueText('validation.object'), ...nestedAs((item) => formOf(typed, item)) }),
  );
}

function oneOf({ forms }: TypedForms) {
  return {
    oneOf: Object.values(forms).map((form) => ({ $ref: getSchemaPath(form) })),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(Object.entries(forms).map(([type, form]) => [type, getSchemaPath(form)])),
    },
  };
}

function toForm(typed: TypedForms, item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  // An array would pass for an object of no class, and so unchecked.
  if (Array.isArray(item)) return new typed.base();
  return plainToInstance(formOf(typed, item) ?? typed.base, item);
}

function formOf({ forms }: TypedForms, item: unknown): Type<object> | undefined {
  const type = typeof item === 'object' && item !== null && 'type' in item ? item.type : undefined;
  return typeof type === 'string' && Object.hasOwn(forms, type) ? forms[type] : undefined;
}
