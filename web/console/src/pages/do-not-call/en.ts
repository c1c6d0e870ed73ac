import type { doNotCallPt } from './pt.js';

import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('en');

export const doNotCallEn = {
  title: 'Do not call',
  subtitle: 'Numbers that your account never calls, in campaigns or otherwise.',
  add: 'Add numbers',
  search: 'Find a number',
  clear: 'Clear search',
  columns: { number: 'Number', reason: 'Reason', added: 'Added', actions: 'Actions' },
  empty: {
    title: 'No numbers on the list',
    text: 'Add people here who asked not to be called.',
    filtered: 'This number is not on the list',
  },
  dialog: {
    numbers: 'Numbers',
    numbersHint: (most: number) =>
      `One per line, ${most} at most. Without a country code, your account's country applies.`,
    reason: 'Reason',
    reasonHint: 'Optional. Applies to all numbers above.',
    submit: 'Add',
    tooMany: (most: number) => `${most} numbers at a time at most.`,
    failed: (count: number) =>
      count === 1
        ? 'One number was not added. Correct it and try again.'
        : `${count} numbers were not added. Correct them and try again.`,
  },
  added: (count: number) => (count === 1 ? 'Number added' : `${count} numbers added`),
  remove: (number: string) => `Remove ${number}`,
  removeTitle: 'Remove number',
  removeQuestion: (number: string) => `${number} can be called again. Remove it from the list?`,
  removeSome: (count: number) =>
    `${count} ${plural(count, 'number', 'numbers')} can be called again. Remove from the list?`,
  removeAction: 'Remove',
} satisfies typeof doNotCallPt;
