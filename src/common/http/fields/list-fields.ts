import type { SchemaObject } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, maxLength } from 'class-validator';
import { integerOf, MAX_INTEGER } from '../fields.js';
import { EachItem, field, issueText, type ListOptions } from './field.js';

/** A list of distinct items, up to 100 unless said otherwise; the rules say what an item is. */
export function distinctItems(
  { minItems = 0, maxItems = 100, ...options }: ListOptions,
  { items, uniqueItems }: { readonly items: SchemaObject; readonly uniqueItems?: true },
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return field(
    options,
    { type: 'array', items, minItems, maxItems, ...(uniqueItems ? { uniqueItems } : {}) },
    IsArray(issueText('validation.array')),
    ArrayMinSize(minItems, issueText('validation.min_items', { min: minItems })),
    ArrayMaxSize(maxItems, issueText('validation.max_items', { max: maxItems })),
    ...rules,
    ArrayUnique(issueText('validation.distinct')),
  );
}

/** Distinct ids. */
export function IdsField(options: ListOptions = {}): PropertyDecorator {
  const isId = (id: unknown) => Number.isInteger(id) && Number(id) >= 1 && Number(id) <= MAX_INTEGER;
  return distinctItems(
    options,
    { items: { type: 'integer', minimum: 1, maximum: MAX_INTEGER } },
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(integerOf) : value)),
    EachItem('isIds', isId, 'validation.integer'),
  );
}

interface NamesOptions extends ListOptions {
  /** Of each name. */
  readonly max: number;
}

/** Distinct names of which there are more than the documentation knows. Whether there is such a one is for the service to say. */
export function NamesField({ max, ...options }: NamesOptions): PropertyDecorator {
  return distinctItems(
    options,
    { items: { type: 'string', minLength: 1, maxLength: max }, uniqueItems: true },
    EachItem('areTexts', (item) => typeof item === 'string', 'validation.string'),
    EachItem('areShort', (item) => maxLength(item, max), 'validation.max_length', { max }),
  );
}
