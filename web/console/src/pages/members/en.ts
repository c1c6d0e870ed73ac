import type { membersPt } from './pt.js';

export const membersEn = {
  title: 'Members',
  subtitle: 'Who works in this account, each with a password and a role.',
  invite: 'Invite',
  columns: { name: 'Name', email: 'E-mail', role: 'Role', since: 'Since', actions: 'Actions' },
  you: 'You',
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  rolesText: {
    owner: 'Does everything, as whoever opened the account.',
    operator: 'Reads everything, answers conversations, places calls and runs campaigns.',
    viewer: 'Reads everything and changes nothing.',
  },
  roleOf: (name: string) => `Role of ${name}`,
  changed: (name: string) => `The role of ${name} is changed.`,
  remove: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove member',
  removeQuestion: (name: string) =>
    `${name} leaves the account at once, and their sessions end. Replies they wrote keep the name.`,
  removeAction: 'Remove',
  passwordLink: {
    of: (name: string) => `Password link for ${name}`,
    title: 'Link for a new password',
    question: (name: string) =>
      `By the link, ${name} sets a new password without the old one. Earlier links stop working.`,
    submit: 'Create link',
    copy: (name: string) => `Send this link to ${name}. It is not shown again, and works once, for a day.`,
    done: 'I have copied it',
  },
  invitations: {
    title: 'Open invitations',
    until: 'Good until',
    again: 'New link',
    againFor: (email: string) => `New link for ${email}`,
    cancel: (email: string) => `Call back the invitation of ${email}`,
    cancelTitle: 'Call back the invitation',
    cancelQuestion: (email: string) => `The link sent to ${email} stops working.`,
    cancelAction: 'Call back',
  },
  dialog: {
    email: 'E-mail',
    emailPlaceholder: 'person@company.com',
    role: 'Role',
    submit: 'Create invitation',
    made: 'Invitation created',
    copy: 'Send this link to the person. It is not shown again, and works once, for seven days.',
    link: 'Link of the invitation',
    done: 'I have copied it',
  },
  empty: {
    title: 'Only you so far',
    text: 'Invite who answers, calls or follows along. Nothing is sent by e-mail: you pass the link on.',
  },
} satisfies typeof membersPt;
