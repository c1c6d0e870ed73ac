import { ValidateBy } from 'class-validator';
import type { TextKey } from '../../../i18n/catalogue.js';
import { issueText } from '../fields/field.js';

/** No two items of a list may have one `name`. Items without a name are refused for that, by their own rules. */
export function DistinctNames(key: TextKey): PropertyDecorator {
  const areDistinct = (value: unknown) => {
    if (!Array.isArray(value)) return true;
    const names = value
      .map((item: { readonly name?: unknown } | null) => item?.name)
      .filter((name) => typeof name === 'string');
    return new Set(names).size === names.length;
  };
  return ValidateBy({ name: 'distinctNames', validator: { validate: areDistinct } }, issueText(key));
}
