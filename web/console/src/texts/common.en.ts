import type { commonPt } from './common.pt.js';

import { pluralOf } from './plural.js';

const plural = pluralOf('en');

export const commonEn = {
  actions: {
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
    copyFailed: "Your browser couldn't copy this. Select the text and copy it manually.",
    copyFirst: 'Copy it before you close this.',
    create: 'Create',
    delete: 'Delete',
    edit: 'Edit',
    export: 'Export CSV',
    loadMore: 'Load more',
    retry: 'Try again',
    save: 'Save',
    search: 'Search',
  },
  errors: {
    offline: "We can't reach the server. Check your connection and try again.",
    notFound: "We couldn't find this. It may have been deleted.",
    forbidden: "You don't have permission to do this.",
    conflict: 'Someone changed this in the meantime. Reload and try again.',
    invalid: 'Check the highlighted fields.',
    field: "This value isn't accepted.",
    tooMany: 'Too many attempts. Wait a moment and try again.',
    server: 'Something went wrong on the server. Try again.',
    unexpected: "This action couldn't be completed. Try again.",
    request: (id: string) => `Request ID: ${id}`,
    page: "We couldn't display this page.",
    noPage: "This page doesn't exist.",
    toStart: 'Go to Overview',
  },
  chart: { day: 'Day' },
  tokens: {
    name: 'Tokens',
    sum: (input: string, output: string, cached: string | null) =>
      cached === null ? `${input} in, ${output} out` : `${input} in (${cached} cached), ${output} out`,
  },
  bulk: {
    title: 'Selected rows',
    selected: (count: number) => `${count} selected`,
    progress: (done: number, total: number) => `${done} of ${total} done…`,
    done: (count: number) => `${count} ${plural(count, 'item', 'items')} done.`,
    failed: (count: number, total: number) =>
      `${count} of ${total} failed. ${plural(count, 'It is', 'They are')} still selected, so that you can try again.`,
    clear: 'Clear selection',
    tag: 'Add tag',
  },
  savedFilters: {
    title: 'Saved filters',
    manage: 'Save and manage…',
    name: 'Name for the current filters',
    newName: (name: string) => `New name for ${name}`,
    rename: 'Rename',
    replace: 'Replace',
    renameOf: (name: string) => `Rename ${name}`,
    replaceOf: (name: string) => `Replace ${name} with the current filters`,
    deleteOf: (name: string) => `Delete ${name}`,
    noFilters: 'Filter the list first to save its filters here. This browser keeps them for you alone.',
    full: (most: number) => `You can save up to ${most} filters. Delete one first.`,
    taken: 'This name is taken.',
  },
  table: {
    order: 'Sort by',
    ascending: (column: string) => `${column}, ascending`,
    descending: (column: string) => `${column}, descending`,
    asListed: 'Default order',
    select: (row: string) => `Select ${row}`,
    selectAll: 'Select all on this page',
  },
  tags: {
    title: 'Tags',
    label: 'New tag',
    add: 'Add',
    remove: (tag: string) => `Remove the tag ${tag}`,
  },
  image: 'Image',
  shortcuts: { title: 'Keyboard shortcuts', enabled: 'Enable single-key shortcuts' },
  dirty: {
    title: 'You have unsaved changes',
    text: 'If you leave now, your changes will be lost.',
    leave: 'Leave without saving',
    stay: 'Keep editing',
  },
} satisfies typeof commonPt;
