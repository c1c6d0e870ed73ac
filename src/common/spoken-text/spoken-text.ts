import { MarkdownText } from './markdown/markdown-text.js';
import { isSayable } from './scripts.js';

/** A whole text as a voice is to say it: see `MarkdownText`. Empty where there is nothing to say. */
export function spokenText(markdown: string): string {
  const reader = new MarkdownText();
  const text = `${reader.push(markdown)}${reader.end()}`;
  return isSayable(text) ? text.replaceAll('\n', ' ') : '';
}
