import type { settingsPt } from './pt.js';

export const settingsEn = {
  title: 'Settings',
  subtitle: 'The account, your password, and where you are signed in.',
  profile: { title: 'Account', name: 'Name', email: 'E-mail' },
  region: {
    title: 'Country and time zone',
    text: 'For everybody who uses the account.',
    country: 'Country',
    countryText: 'Of phone numbers that are written without a country code.',
    timezone: 'Time zone',
    timezoneText: 'Days of filters, and times of calls and leads, are told in it.',
    saved: 'Country and time zone saved',
  },
  password: {
    title: 'Change the password',
    text: 'The other sessions end when the password changes.',
    current: 'Current password',
    next: 'New password',
    submit: 'Change the password',
    done: 'The password is changed. The other sessions have ended.',
    wrong: 'That is not your current password.',
  },
  sessions: {
    title: 'Sessions',
    current: 'This session',
    unknown: 'Unknown browser',
    began: (when: string) => `Since ${when}`,
    from: (address: string) => `from ${address}`,
    end: 'End',
    endOf: (name: string) => `End the session of ${name}`,
    endOthers: 'End all others',
    endOthersQuestion:
      'All sessions end but this one. Whoever uses the account elsewhere has to sign in again.',
  },
  modelKey: {
    submit: 'Use this key',
    saved: 'Key saved',
    removed: 'Key removed',
    test: 'Test',
    remove: 'Remove',
    stored: (masked: string) => `Stored: ${masked}. Fill in only to replace it.`,
  },
  chatModelKey: {
    title: 'Own key for models',
    text: 'With it the assistants of this account are answered by your server, which charges you directly: in chats, calls, evaluations and simulations. The key is stored encrypted and never shown.',
    removeText: 'The models of the installation answer again.',
    refusedSince: (when: string) =>
      `The server has refused this key since ${when}. Until it takes it, your assistants do not answer.`,
    unreadable:
      'This installation cannot open the stored key. Save it again; until then, your assistants do not answer.',
    results: {
      ok: 'The server takes this key.',
      refused: 'The server refuses this key.',
      forbidden:
        'The address of the server is local, private or reserved, which this installation does not allow.',
      incompatible: 'The server does not list models as the API of OpenAI does. Check the address.',
      unreachable: 'The server did not answer. Try again later.',
      unreadable: 'This installation cannot open the stored key. Save it again.',
    },
    fields: {
      api_key: { label: 'API key' },
      base_url: {
        label: 'Address of the server',
        hint: 'Of any server that is compatible with OpenAI, up to the version. Empty: OpenAI itself.',
        placeholder: 'https://llm.example.com/v1',
      },
      model: {
        label: 'Model',
        hint: 'Answers for all assistants. Empty: the one that each names, if the server has it.',
        placeholder: 'llama-3.3-70b-versatile',
      },
    },
  },
  speechModelKeys: {
    title: 'Own keys for speech',
    text: 'With them the calls of this account are heard, spoken and held by realtime models at your own account with the vendor, which charges you directly. The keys are stored encrypted and never shown.',
    provider: 'Vendor',
    status: { active: 'key stored', refused: 'key refused', unreadable: 'key cannot be opened' },
    removeText: "The installation's key for this vendor is used again, where it has one.",
    refusedSince: (when: string) =>
      `The vendor has refused this key since ${when}. Until it takes it, other vendors stand in.`,
    unreadable:
      'This installation cannot open the stored key. Save it again; until then, other vendors stand in.',
    results: {
      ok: 'The vendor takes this key.',
      refused: 'The vendor refuses this key.',
      forbidden:
        'The address of the server is local, private or reserved, which this installation does not allow.',
      incompatible: 'The server does not list models as the API of OpenAI does. Check the address.',
      unreachable: 'The vendor did not answer. Try again later.',
      unreadable: 'This installation cannot open the stored key. Save it again.',
    },
    fields: {
      api_key: { label: 'API key' },
      base_url: {
        label: 'Address of the server',
        hint: 'Of any server that is compatible with OpenAI, up to the version; it has no realtime models then. Empty: OpenAI itself.',
        placeholder: 'https://speech.example.com/v1',
      },
      region: {
        label: 'Region',
        hint: 'Of the Speech resource, such as brazilsouth: the key is valid in no other.',
        placeholder: 'brazilsouth',
      },
      speech_to_text_model: {
        label: 'Model for speech to text',
        hint: 'As the server calls it. Empty: as OpenAI calls its own.',
        placeholder: 'whisper-1',
      },
      text_to_speech_model: {
        label: 'Model for text to speech',
        hint: 'As the server calls it. Empty: as OpenAI calls its own.',
        placeholder: 'kokoro',
      },
    },
  },
  accountExport: {
    title: 'Export the account',
    text: 'Everything that the account has, in one file: the rows of each table, recordings and documents. Passwords and keys are left out.',
    begin: 'Export everything',
    again: 'Export again',
    status: {
      processing: 'Exporting…',
      ready: 'The export is ready',
      failed: 'The export failed',
    },
    begun: (when: string) => `Asked for on ${when}`,
    progress: 'Progress of the export',
    kept: 'The file is kept for a week.',
    download: 'Download',
    failures: {
      'too-large': 'The account has more than 4 GiB. Ask whoever runs this server for a copy.',
      'given-up':
        'Five attempts failed. Ask for it again; if it fails once more, talk to whoever runs this server.',
    },
  },
  deleteAccount: {
    title: 'Delete the account',
    text: 'Closes the account and deletes everything in it. It cannot be undone.',
    begin: 'Delete the account…',
    question: 'Delete the account for good?',
    lost: 'Keys, sessions and members lose their access at once. Campaigns stop, calls are hung up, and numbers go back to the carrier. Then assistants, conversations, recordings and documents are deleted, and what is left of the balance is lost.',
    email: 'E-mail of the account',
    emailText: (email: string) => `To confirm, type ${email}.`,
    otherEmail: 'That is not the e-mail of this account.',
    password: 'Your password',
    passwordText: 'Leave it empty if the account has none.',
    wrongPassword: 'That is not your password.',
    confirm: 'Delete for good',
    done: 'The account is closed, and its data is being deleted.',
  },
} satisfies typeof settingsPt;
