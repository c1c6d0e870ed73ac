/** @typedef {{ line: number, text: string }} Passage Text of one paragraph or comment, and the line where it begins. */

const CODE_COMMENT = /^\s*(?:\/\/+|\/\*+|\*(?!\/))\s?/;
const SQL_COMMENT = /^\s*--+\s?/;

/**
 * The places of discouraged words and of long sentences in one file.
 *
 * Words count everywhere in code, because names and texts are read as well. In Markdown, code and tables of bad examples are
 * skipped. Sentences are those of Markdown and of comments.
 *
 * @param {string} file its name decides how it is read
 * @param {string} text
 * @param {{ words: Readonly<Record<string, string>>, maxWords: number }} rules
 * @returns {{ lines: number, words: { line: number, word: string }[], sentences: { line: number, count: number, text: string }[] }}
 */
export function findProblems(file, text, { words, maxWords }) {
  const isMarkdown = file.endsWith('.md');
  const lines = text.split('\n');
  const read = isMarkdown ? withoutCode(lines) : lines;
  const pattern = new RegExp(`\\b(?:${Object.keys(words).join('|')})\\b`, 'gi');
  const passages = isMarkdown ? passagesOf(read) : commentsOf(lines, file);
  return {
    lines: lines.filter((line) => line.trim() !== '').length,
    words: read.flatMap((line, index) =>
      [...line.matchAll(pattern)].map(([word]) => ({ line: index + 1, word: word.toLowerCase() })),
    ),
    sentences: passages.flatMap(sentencesOf).filter(({ count }) => count > maxWords),
  };
}

/** Lines of Markdown; those of code blocks and tables of bad examples are empty, and inline code is one word. */
function withoutCode(lines) {
  let isCode = false;
  let isBadExamples = false;
  return lines.map((line) => {
    if (/^\s*```/.test(line)) {
      isCode = !isCode;
      return '';
    }
    if (/^\|\s*(Instead of|Avoid)\s*\|/.test(line)) isBadExamples = true;
    else if (!line.startsWith('|')) isBadExamples = false;
    return isCode || isBadExamples ? '' : line.replaceAll(/`[^`]*`/g, 'x');
  });
}

/** Paragraphs and list items of Markdown; headings and tables have no sentences. */
function passagesOf(lines) {
  const passages = [];
  let open;
  for (const [index, line] of lines.entries()) {
    const isText = line.trim() !== '' && !/^\s*\|/.test(line) && !line.startsWith('#');
    if (!isText || /^\s*(?:[-*]|\d+\.)\s/.test(line)) open = undefined;
    if (!isText) continue;
    if (!open) passages.push((open = { line: index + 1, text: '' }));
    open.text += `${line.trim()}\n`;
  }
  return passages;
}

/** Comments that begin a line, joined over the lines that they go on for. */
function commentsOf(lines, file) {
  const comment = file.endsWith('.sql') ? SQL_COMMENT : CODE_COMMENT;
  const passages = [];
  let open;
  for (const [index, line] of lines.entries()) {
    const isComment = comment.test(line);
    const text = line.replace(comment, '').replace(/\*\/\s*$/, '');
    if (!isComment || text.trim() === '' || /^(?:@|- |eslint|prettier|ts-)/.test(text)) open = undefined;
    if (!isComment || text.trim() === '') continue;
    if (!open) passages.push((open = { line: index + 1, text: '' }));
    open.text += `${text.replaceAll(/`[^`]*`/g, 'x').trim()}\n`;
  }
  return passages;
}

/** @param {Passage} passage */
function sentencesOf({ line, text }) {
  const sentences = [];
  let at = 0;
  for (const part of text.split(/(?<=[.!?:])(\s+)/)) {
    const count = part.trim().split(/\s+/).filter(Boolean).length;
    const before = text.slice(0, at).split('\n').length - 1;
    if (count > 0) sentences.push({ line: line + before, count, text: part.trim().replaceAll(/\s+/g, ' ') });
    at += part.length;
  }
  return sentences;
}
