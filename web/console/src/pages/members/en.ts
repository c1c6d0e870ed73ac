import type { membersPt } from './pt.js';

export const membersEn = {
  title: 'Members',
  subtitle: 'People with access to this account, each with their own password and role.',
  invite: 'Invite',
  columns: { name: 'Name', email: 'Email', role: 'Role', since: 'Since', actions: 'Actions' },
  you: 'You',
  roles: { owner: 'Owner', operator: 'Operator', viewer: 'Viewer' },
  rolesText: {
    owner: 'Full access.',
    operator: 'Can view everything, reply to conversations, place calls and run campaigns.',
    viewer: "Can view everything, can't change anything.",
  },
  roleOf: (name: string) => `Role of ${name}`,
  changed: (name: string) => `${name}'s role was updated.`,
  remove: (name: string) => `Remove ${name}`,
  removeTitle: 'Remove member',
  removeQuestion: (name: string) =>
    `${name} loses access immediately and is signed out everywhere. Their name stays on replies they wrote.`,
  removeAction: 'Remove',
  passwordLink: {
    of: (name: string) => `Password reset link for ${name}`,
    title: 'Password reset link',
    question: (name: string) => `${name} can use the link to set a new password. Earlier links stop working.`,
    submit: 'Create link',
    copy: (name: string) =>
      `Send this link to ${name}. It won't be shown again, works once and expires in 24 hours.`,
    emailed: (name: string) =>
      `We are e-mailing this link to ${name}. You can also copy it now. It works once and expires in 24 hours.`,
    done: 'Done',
  },
  invitations: {
    title: 'Pending invitations',
    until: 'Expires',
    again: 'New link',
    againFor: (email: string) => `New link for ${email}`,
    cancel: (email: string) => `Cancel the invitation to ${email}`,
    cancelTitle: 'Cancel invitation',
    cancelQuestion: (email: string) => `The link sent to ${email} stops working.`,
    cancelAction: 'Cancel invitation',
  },
  dialog: {
    email: 'Email',
    emailPlaceholder: 'person@company.com',
    role: 'Role',
    submit: 'Create invitation',
    made: 'Invitation created',
    copy: "Send this link to them. It won't be shown again, works once and expires in 7 days.",
    emailed: (email: string) =>
      `We are e-mailing this link to ${email}. You can also copy it now. It works once and expires in 7 days.`,
    link: 'Invitation link',
    done: 'Done',
  },
  empty: {
    title: "It's just you so far",
    text: 'Invite teammates to reply, place calls or follow along.',
  },
} satisfies typeof membersPt;
