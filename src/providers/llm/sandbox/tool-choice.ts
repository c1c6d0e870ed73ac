import type { ToolDefinition } from '../chat-model.js';
import { contentWords, fold, hasDigit, includesWord, isSameWord, isStopWord, wordsOf } from './words.js';

export interface ChosenTool {
  readonly tool: ToolDefinition;
  /** The message holds the tool's name as it is written. */
  readonly named: boolean;
}

/** What every description says of itself: no sign of which tool is meant. */
const GENERIC_WORDS = new Set(
  `use usar usado utilize utilizar ferramenta funcao cliente usuario pessoa chamar chamado sempre perguntar pedir
  solicitar informar informacao informacoes dados tool function user customer person caller used using whenever asks ask
  asked request requests information data call get gets`.split(/\s+/),
);

const NOUN_MIN_LETTERS = 5;
const MIN_SCORE = 2;
const MIN_SHARE = 0.3;

/**
 * The tools a message asks for: every tool named in it, else the one whose description it repeats
 * most, else none.
 */
export function chooseTools(message: string, tools: readonly ToolDefinition[]): ChosenTool[] {
  const written = inOrderOfMention(message, tools, positionOfWrittenName);
  if (written.length > 0) return written.map((tool) => ({ tool, named: true }));
  const spoken = withoutLessSpecific(inOrderOfMention(message, tools, positionOfSpokenName));
  if (spoken.length > 0) return spoken.map((tool) => ({ tool, named: false }));
  const described = mostLikelyTool(message, tools, MIN_SCORE, MIN_SHARE);
  return described === null ? [] : [{ tool: described, named: false }];
}

/** The tool that knows all the words of a message, though they be few: "quero falar com um atendente". */
export function chooseByFewWords(message: string, tools: readonly ToolDefinition[]): ToolDefinition | null {
  return mostLikelyTool(message, tools, 1, 1);
}

/** The tool whose words the message repeats most; the first one when it repeats none. */
export function nearestTool(message: string, tools: readonly ToolDefinition[]): ToolDefinition | null {
  return mostLikelyTool(message, tools, 0, 0);
}

function nameWords(tool: ToolDefinition): string[] {
  return wordsOf(tool.name).map((word) => word.folded);
}

/** Words by which a message may refer to the tool; generic ones and numbers left out. */
function vocabularyOf(tool: ToolDefinition): string[] {
  return contentWords(`${tool.name} ${tool.description}`).filter(isTelling);
}

/** Whether a word says nothing of which tool, or which parameter, is meant. */
export function isGeneric(folded: string): boolean {
  return GENERIC_WORDS.has(folded);
}

function isTelling(folded: string): boolean {
  return !isGeneric(folded) && !hasDigit(folded);
}

function inOrderOfMention(
  message: string,
  tools: readonly ToolDefinition[],
  positionOf: (message: string, tool: ToolDefinition) => number,
): ToolDefinition[] {
  return tools
    .map((tool) => ({ tool, position: positionOf(message, tool) }))
    .filter(({ position }) => position >= 0)
    .toSorted((a, b) => a.position - b.position)
    .map(({ tool }) => tool);
}

function positionOfWrittenName(message: string, { name }: ToolDefinition): number {
  // A name of one plain word is no sign that the tool is meant as such.
  if (!/[_-]/.test(name)) return -1;
  const written = Array.from(message.matchAll(/[\p{L}\p{N}_-]+/gu));
  return written.find(([token]) => fold(token) === fold(name))?.index ?? -1;
}

/** All words of the name, in any order: "consultar o meu pedido", "my order, get its status". */
function positionOfSpokenName(message: string, tool: ToolDefinition): number {
  const spoken = wordsOf(message);
  const places = nameWords(tool)
    .filter((word) => !isStopWord(word))
    .map((word) => spoken.find(({ folded }) => isSameWord(folded, word))?.start ?? -1);
  return places.length === 0 || places.includes(-1) ? -1 : Math.min(...places);
}

/** "get order status" also says "get order", but means the tool with the longer name. */
function withoutLessSpecific(tools: ToolDefinition[]): ToolDefinition[] {
  const names = tools.map(nameWords);
  return tools.filter((tool) => {
    const words = nameWords(tool);
    return !names.some(
      (other) => other.length > words.length && words.every((word) => includesWord(other, word)),
    );
  });
}

function mostLikelyTool(
  message: string,
  tools: readonly ToolDefinition[],
  minScore: number,
  minShare: number,
): ToolDefinition | null {
  const asked = contentWords(message).filter(isTelling);
  const shared = sharedWords(tools);
  let best: { tool: ToolDefinition; score: number } | null = null;
  for (const tool of tools) {
    const vocabulary = vocabularyOf(tool);
    const matched = asked.filter((word) => includesWord(vocabulary, word));
    const share = Math.max(matched.length / (asked.length || 1), matched.length / (vocabulary.length || 1));
    const tellsApart = matched.some((word) => !includesWord(shared, word));
    const score = tellsApart ? matched.reduce((sum, word) => sum + weightOf(word, tool), 0) : 0;
    if (score < minScore || share < minShare) continue;
    if (best === null || score > best.score) best = { tool, score };
  }
  return best?.tool ?? null;
}

/** A noun in the tool's name (the weather of get_weather) tells as much as two words of its description. */
function weightOf(word: string, tool: ToolDefinition): number {
  return word.length >= NOUN_MIN_LETTERS && includesWord(nameWords(tool), word) ? 2 : 1;
}

/** Words that every one of several tools has, which alone tell none of them from another. */
function sharedWords(tools: readonly ToolDefinition[]): string[] {
  const [first, ...others] = tools.map(vocabularyOf);
  if (first === undefined || others.length === 0) return [];
  return first.filter((word) => others.every((vocabulary) => includesWord(vocabulary, word)));
}
