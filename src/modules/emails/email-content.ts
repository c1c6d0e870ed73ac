/** What an e-mail says, in the language of its reader. */
export interface EmailContent {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** The one link of the e-mail. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Why the reader gets it. */
  readonly footer: string;
}

const MAX_SUBJECT = 150;
const MAX_NAME = 80;
/** Mail programs turn such words into links. */
const LINK = /:\/\/|www\.|@|\.\p{L}{2,}/iu;

/** The plain form. */
export function plainTextOf({ paragraphs, action, footer }: EmailContent): string {
  const parts = [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), `-- \n${footer}`];
  return `${parts.join('\n\n')}\n`;
}

/** The same as HTML, without pictures, styles of other servers or scripts. */
export function htmlOf({ subject, paragraphs, action, footer }: EmailContent): string {
  const url = action && escapeHtml(action.url);
  const body = [
    ...paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`),
    ...(action ? [`<p><a href="${url}">${escapeHtml(action.label)}</a></p>`, `<p>${url}</p>`] : []),
    `<p style="color:#666;font-size:small">${escapeHtml(footer)}</p>`,
  ];
  return [
    '<!doctype html>',
    `<html><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="font-family:sans-serif;max-width:36em">',
    ...body,
    '</body></html>',
    '',
  ].join('\n');
}

/** A subject is one line: a line break would begin another header. */
export function subjectOf({ subject }: EmailContent): string {
  return oneLine(subject).slice(0, MAX_SUBJECT);
}

/**
 * A name that a user has given, as an e-mail may show it; null for one with a web or e-mail address in it. The name of an
 * account would else be a way to send links of one's own to strangers.
 */
export function presentableName(name: string): string | null {
  const shown = oneLine(name).slice(0, MAX_NAME).trim();
  return shown === '' || LINK.test(shown) ? null : shown;
}

function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim();
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
