import { fillPlaceholders, MAX_FILLED_LENGTH, splitByPlaceholders, type Variables } from './variables.js';

const BEGINS_WITH_STOP = /^[ \t]*(?:[.,;:!?…]|$|\n)/;
const LEADING_STOPS = /^[\s.,;:!?…]+/;

/**
 * Fills a text that is said to a customer. Around a value that is missing or empty, the comma and the blank that belonged
 * to it go too: `Olá, {{nome}}!` without a name is `Olá!`.
 */
export function fillSpoken(template: string, variables: Variables): string {
  const { texts, placeholders } = splitByPlaceholders(template);
  let spoken = texts[0] ?? '';
  let hasBegun = spoken.trim() !== '';
  let room = MAX_FILLED_LENGTH;
  placeholders.forEach((placeholder, at) => {
    const value = fillPlaceholders(placeholder, variables).slice(0, room);
    room -= value.length;
    const rest = texts[at + 1] ?? '';
    if (value.trim() !== '') {
      spoken += value + rest;
      hasBegun = true;
      return;
    }
    const next = hasBegun ? rest : capitalised(rest.replace(LEADING_STOPS, ''));
    spoken = joined(spoken, next);
    hasBegun ||= next.trim() !== '';
  });
  return spoken;
}

/** The text before an empty value and the text after it. */
function joined(before: string, after: string): string {
  const bare = withoutBlanks(before);
  if (BEGINS_WITH_STOP.test(after)) {
    const kept = bare.endsWith(',') ? withoutBlanks(bare.slice(0, -1)) : bare;
    return kept + after.replace(/^[ \t]+/, '');
  }
  return bare !== before && /^[ \t]/.test(after) ? bare + after : before + after;
}

function withoutBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return text.slice(0, end);
}

function capitalised(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}
