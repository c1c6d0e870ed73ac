import type { commonPt } from './common.pt.js';

export const commonEn = {
  actions: {
    cancel: 'Cancel',
    close: 'Close',
    copied: 'Copied',
    copy: 'Copy',
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
    title: 'Something went wrong',
    offline: 'The server did not answer. Check the connection and try again.',
    notFound: 'This no longer exists, or never did.',
    forbidden: 'You may not do this.',
    conflict: 'Something has changed meanwhile. Reload and try again.',
    invalid: 'Check the marked fields.',
    field: 'Check this field.',
    tooMany: 'Too many attempts. Wait a moment and try again.',
    server: 'The server failed to answer the request. Try again.',
    unexpected: 'The request was refused.',
    request: (id: string) => `Request ${id}`,
    page: 'This screen could not be shown.',
    noPage: 'This page does not exist.',
    toStart: 'Go to the start',
  },
  chart: { day: 'Day' },
  tokens: {
    name: 'Tokens',
    sum: (input: string, output: string, cached: string | null) =>
      cached === null ? `${input} in, ${output} out` : `${input} in (${cached} cached), ${output} out`,
  },
  image: 'Image',
  soon: 'This screen is not ready yet.',
  dirty: {
    title: 'There are unsaved changes',
    text: 'If you leave now, they are lost.',
    leave: 'Leave without saving',
    stay: 'Keep editing',
  },
} satisfies typeof commonPt;
