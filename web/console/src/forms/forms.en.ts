import type { formsPt } from './forms.pt.js';
import { pluralOf } from '../texts/plural.js';

const plural = pluralOf('en');

export const formsEn = {
  issues: {
    required: () => 'This field is required.',
    integer: () => 'Enter a whole number.',
    number: () => 'Enter a number.',
    pattern: () => 'Invalid format.',
    url: () => 'Enter a URL that starts with http:// or https://.',
    minLength: (shown: string, limit: number) =>
      `Enter at least ${shown} ${plural(limit, 'character', 'characters')}.`,
    maxLength: (shown: string, limit: number) =>
      `Enter at most ${shown} ${plural(limit, 'character', 'characters')}.`,
    minimum: (limit: string) => `Must be at least ${limit}.`,
    maximum: (limit: string) => `Must be at most ${limit}.`,
    minItems: (limit: string) => `Add at least ${limit}.`,
    maxItems: (limit: string) => `Add at most ${limit}.`,
  },
  count: (used: string, most: string) => `${used} of ${most} characters`,
  none: 'None',
  clear: 'Clear',
  yes: 'Yes',
  no: 'No',
  units: { milliseconds: 'ms', seconds: 's', minutes: 'min' },
  reset: 'Reset to default',
  notFound: 'No results',
  confirm: 'Delete',
  add: 'Add',
  remove: (name: string) => `Remove ${name}`,
  unsaved: 'Unsaved changes',
  saved: 'Saved',
  invalid: 'Check the highlighted fields.',
} satisfies typeof formsPt;
