import { pluralOf } from '../../texts/plural.js';
import type { palettePt } from './palette.pt.js';

const plural = pluralOf('en');

export const paletteEn = {
  title: 'Search everything',
  open: 'Search',
  placeholder: 'Page, assistant, campaign, customer or number',
  results: 'Results',
  groups: {
    pages: 'Pages',
    assistants: 'Assistants',
    campaigns: 'Campaigns',
    people: 'People',
    calls: 'Calls',
    conversations: 'Conversations',
  },
  none: (words: string) => `Nothing found for “${words}”.`,
  callHint: "To find a call, type the customer's full number.",
  count: (count: number) => `${count} ${plural(count, 'result', 'results')}`,
  failed: (groups: string) => `Search failed in: ${groups}.`,
} satisfies typeof palettePt;
