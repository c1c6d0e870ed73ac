import { exactNumber } from '../../../common/text/exact-json.js';
import type { ToolDefinition } from '../chat-model.js';
import type { Language } from './language.js';
import { isAbout, parametersOf, type ToolParameter } from './tool-parameter.js';
import { contentWords, fold, includesWord, isStopWord, wordsOf, type Word } from './words.js';

export type ArgumentValue = string | number | boolean;

export interface FilledArguments {
  readonly values: Readonly<Record<string, ArgumentValue>>;
  /** The required parameters the text says nothing about. */
  readonly missing: readonly ToolParameter[];
}

/** What was found in the text for a parameter, and what of the text it used up. */
interface Found {
  readonly value: ArgumentValue;
  readonly start: number;
  readonly end: number;
}

interface Context {
  readonly message: string;
  readonly language: Language;
  /** Folded words by which the message may have asked for the tool. */
  readonly toolWords: readonly string[];
  readonly parameters: readonly ToolParameter[];
}

type Filler = (parameter: ToolParameter, text: string, context: Context) => Found | null;

const EMAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/u;
const PHONE = /\+?\(?\d[\d\s().-]{6,}\d/;
const DATE =
  /(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?|\d{1,2} de \p{L}{4,9}(?: de \d{4})?)(?!\d)|(?<!\p{L})(?:hoje|amanhã|amanha|today|tomorrow)(?!\p{L})/iu;
const TIME = /(?<!\d)\d{1,2}(?::\d{2}|\s?h(?:\d{2})?|\s?[ap]m)(?![\p{L}\d])/iu;
const CODE = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}./-]*\d)[\p{L}\p{N}]+(?:[./-][\p{L}\p{N}]+)*/u;
const QUOTED = /"[^"\n]{1,500}"|“[^”\n]{1,500}”/u;
const NUMERAL = /(?<![\p{L}\d.,/-]|\d:)-?\d+(?:[.,]\d+)*(?![\d/:@]|h(?!\p{L}))/gu;

const ABOUT_ANYTHING = /./;
const ABOUT_EMAIL = /^(?:email|e?mail|correio)s?$/;
const ABOUT_PHONE = /^(?:telefone|fone|phone|telephone|celular|mobile|whatsapp)$/;
const ABOUT_DATE = /^(?:data|date|dia|day)$/;
const ABOUT_TIME = /^(?:hora|horario|time|hour)$/;
const ABOUT_CODE = /^(?:id|codigo|code|numero|number|cpf|cnpj|cep|zip|protocolo|ticket|sku|matricula|placa)$/;
const FREE_TEXT =
  /^(?:query|pergunta|question|consulta|busca|search|mensagem|message|texto|text|motivo|reason|resumo|summary|description|descricao|observacao|notes?|assunto|duvida)$/;

const YES = new Set(['sim', 'yes', 'true', 'claro']);
const NO = new Set(['nao', 'no', 'false', 'not', 'sem', 'without', 'dont']);
const WORDS_AROUND_LABEL = 2;

/** Ends a value: punctuation, text that was used, or a word that begins the next thought. */
const PHRASE_END =
  /[,;!?\n]|\.(?=\s|$)|\s(?:e|and|mas|but|com|with|para|por favor|please|obrigad[oa]|thanks|thank you)(?=[\s,.!?]|$)/iu;
const SENTENCE_END = /[;!?\n]|\.(?=\s|$)/u;
const MAX_PHRASE_CHARS = 200;

/** Tried in this order over all parameters, the surest first, each on what the former ones left. */
const FILLERS: readonly Filler[] = [
  fillChoice,
  fillPattern(ABOUT_EMAIL, EMAIL),
  fillPattern(ABOUT_DATE, DATE),
  fillPattern(ABOUT_TIME, TIME),
  fillPattern(ABOUT_PHONE, PHONE, (phone) => phone.replaceAll(/[\s().-]/g, '')),
  fillPattern(ABOUT_ANYTHING, QUOTED, (quoted) => quoted.slice(1, -1).trim()),
  fillLabelledCode,
  fillNumber,
  fillBoolean,
  fillLabelledPhrase,
  fillCode,
  fillFreeText,
  fillRemaining,
];

/**
 * Fills a tool's parameters from a message, by their type and by the words of their names and
 * descriptions. A required parameter the message does not mention is reported, never invented.
 */
export function fillArguments(tool: ToolDefinition, message: string, language: Language): FilledArguments {
  const parameters = parametersOf(tool);
  const toolWords = contentWords(`${tool.name} ${tool.description}`);
  const context: Context = { message, language, toolWords, parameters };
  const values = new Map<string, ArgumentValue>();
  let text = message.replaceAll(/[\p{L}\p{N}_-]+/gu, (token) =>
    fold(token) === fold(tool.name) ? '\n' : token,
  );
  for (const fill of FILLERS) {
    for (const parameter of parameters) {
      const found = values.has(parameter.name) ? null : fill(parameter, text, context);
      if (found === null) continue;
      values.set(parameter.name, found.value);
      // Line ends stand where text was used, so that nothing is read across the gap.
      text = text.slice(0, found.start) + '\n'.repeat(found.end - found.start) + text.slice(found.end);
    }
  }
  return {
    values: Object.fromEntries(values),
    missing: parameters.filter(({ name, required }) => required && !values.has(name)),
  };
}

function fillChoice({ choices }: ToolParameter, text: string): Found | null {
  const said = wordsOf(text).map((word) => word.folded);
  const choice = choices.find((option) => {
    const words = wordsOf(option);
    return words.length > 0 && words.every(({ folded }) => includesWord(said, folded));
  });
  return choice === undefined ? null : { value: choice, start: 0, end: 0 };
}

function fillPattern(subject: RegExp, pattern: RegExp, read = (text: string) => text): Filler {
  return (parameter, text) => {
    const match = isOpenText(parameter) && isAbout(parameter, subject) ? pattern.exec(text) : null;
    if (match === null) return null;
    return { value: read(match[0]), start: match.index, end: match.index + match[0].length };
  };
}

/** "pedido AB-123": a code right after a word of the parameter. */
function fillLabelledCode(parameter: ToolParameter, text: string, context: Context): Found | null {
  if (!isOpenText(parameter)) return null;
  const labelled = findLabelled(parameter, text, context, () => true);
  const code = labelled && CODE.exec(labelled.value);
  if (!labelled || code?.index !== 0) return null;
  return { value: code[0], start: labelled.at, end: labelled.at + code[0].length };
}

/** "meu nome é Ana": the phrase after a word of the parameter, unless it is the tool that this word names. */
function fillLabelledPhrase(parameter: ToolParameter, text: string, context: Context): Found | null {
  if (!isOpenText(parameter) || isCode(parameter)) return null;
  return findLabelled(
    parameter,
    text,
    context,
    (word) => includesWord(parameter.nameWords, word) || !includesWord(context.toolWords, word),
  );
}

/** A number after a word of the parameter, else the first; in the notation of the language. */
function fillNumber(parameter: ToolParameter, text: string, { language }: Context): Found | null {
  if (parameter.type !== 'number' && parameter.type !== 'integer') return null;
  const numbers = Array.from(text.matchAll(NUMERAL), ({ 0: numeral, index }) => ({
    value: parseNumeral(numeral, language),
    start: index,
    end: index + numeral.length,
  })).filter(({ value }) =>
    parameter.type === 'integer' ? Number.isInteger(Number(value)) : Number.isFinite(Number(value)),
  );
  const labels = wordsOf(text).filter((word) => includesWord(parameter.hints, word.folded));
  const afterLabel = labels.map((label) => numbers.find(({ start }) => start >= label.end));
  return afterLabel.find((number) => number !== undefined) ?? numbers[0] ?? null;
}

/** 1.234,56 in Portuguese and 1,234.56 in English. A number that no double holds is a string of its digits. */
function parseNumeral(numeral: string, language: Language): number | string {
  const [grouping, decimal] = language === 'pt' ? ['.', ','] : [',', '.'];
  const isGrouped = new RegExp(`^-?\\d{1,3}(?:\\${grouping}\\d{3})+(?:\\${decimal}\\d+)?$`).test(numeral);
  return exactNumber((isGrouped ? numeral.replaceAll(grouping, '') : numeral).replace(',', '.'));
}

/** "urgente", "não é urgente", "urgente: sim"; without such a word, a plain yes or no at the beginning. */
function fillBoolean(parameter: ToolParameter, text: string, { toolWords }: Context): Found | null {
  if (parameter.type !== 'boolean') return null;
  const words = wordsOf(text).map((word) => word.folded);
  const [first = ''] = words;
  const labels = parameter.hints.filter(
    (hint) => includesWord(parameter.nameWords, hint) || !includesWord(toolWords, hint),
  );
  const at = words.findIndex((word) => includesWord(labels, word));
  if (at < 0 && !YES.has(first) && !NO.has(first)) return null;
  const telling =
    at < 0 ? [first] : words.slice(Math.max(0, at - WORDS_AROUND_LABEL), at + WORDS_AROUND_LABEL);
  return { value: !telling.some((word) => NO.has(word)), start: 0, end: 0 };
}

/** A code has digits; any word that has some will do, and a word without never does. */
function fillCode(parameter: ToolParameter, text: string, context: Context): Found | null {
  return isCode(parameter) ? fillPattern(ABOUT_ANYTHING, CODE)(parameter, text, context) : null;
}

function fillFreeText(parameter: ToolParameter, _text: string, { message }: Context): Found | null {
  if (!isOpenText(parameter) || !parameter.nameWords.some((word) => FREE_TEXT.test(word))) return null;
  const value = message.trim();
  return value === '' ? null : { value, start: 0, end: 0 };
}

/** The longest run of words that belong neither to the tool nor to a parameter's name. */
function fillRemaining(parameter: ToolParameter, text: string, context: Context): Found | null {
  if (!isOpenText(parameter) || !parameter.required || isCode(parameter) || isContact(parameter)) return null;
  const known = [...context.toolWords, ...context.parameters.flatMap(({ nameWords }) => nameWords)];
  const runs: Word[][] = [[]];
  let previousEnd = 0;
  for (const word of wordsOf(text)) {
    if (/[,;:!?\n]|\.\s/.test(text.slice(previousEnd, word.start))) runs.push([]);
    if (includesWord(known, word.folded)) runs.push([]);
    else runs.at(-1)?.push(word);
    previousEnd = word.end;
  }
  const found = runs.flatMap((run) => {
    const start = run.find((word) => !isFiller(text, word))?.start;
    const end = run.findLast((word) => !isFiller(text, word))?.end;
    return start === undefined || end === undefined ? [] : [{ value: text.slice(start, end), start, end }];
  });
  return found.toSorted((a, b) => b.value.length - a.value.length)[0] ?? null;
}

/**
 * What follows a word of the parameter: up to the end of the phrase, or of the sentence when a colon announces it.
 * Words that no other parameter shares are tried first: "cidade", where one is "Nome completo" and one "Nome da cidade".
 */
function findLabelled(
  parameter: ToolParameter,
  text: string,
  { parameters }: Context,
  mayLabel: (word: string) => boolean,
): (Found & { value: string; at: number }) | null {
  const others = parameters.filter((other) => other !== parameter);
  const hints = parameter.hints.filter(mayLabel);
  const ownHints = hints.filter((hint) => !others.some((other) => includesWord(other.hints, hint)));
  const words = wordsOf(text);
  for (const labels of [ownHints, hints]) {
    const isLabel = ({ folded }: Word) => includesWord(labels, folded);
    const isOther = (word: Word) =>
      !isLabel(word) && others.some(({ nameWords }) => includesWord(nameWords, word.folded));
    for (const [index, label] of words.entries()) {
      const value = isLabel(label)
        ? words.slice(index + 1).find((word) => !isLabel(word) && !isFiller(text, word))
        : undefined;
      if (!value || isOther(value)) continue;
      const between = text.slice(label.end, value.start);
      if (SENTENCE_END.test(between)) continue;
      const next = words.find((word) => word.start > value.start && isOther(word));
      const rest = text.slice(
        value.start,
        Math.min(next?.start ?? text.length, value.start + MAX_PHRASE_CHARS),
      );
      const [phrase = ''] = rest.split(/[:=]/.test(between) ? SENTENCE_END : PHRASE_END);
      const last = wordsOf(phrase).findLast(({ folded }) => !isStopWord(folded));
      if (!last) continue;
      const end = value.start + last.end;
      return { value: text.slice(value.start, end), at: value.start, start: label.start, end };
    }
  }
  return null;
}

/** Stop words say nothing at the edge of a value, save in a name ("em São Paulo") or a code ("A-99"). */
function isFiller(text: string, word: Word): boolean {
  if (!isStopWord(word.folded) || /^[-./]\p{N}/u.test(text.slice(word.end, word.end + 2))) return false;
  const written = text.slice(word.start, word.end);
  const isCapitalized = /^\p{Lu}/u.test(written) && /[\p{L}\p{N},]\s*$/u.test(text.slice(0, word.start));
  return !isCapitalized && written !== 'São';
}

function isOpenText({ type, choices }: ToolParameter): boolean {
  return type === 'string' && choices.length === 0;
}

/** By its name, or by the word its description begins with ("Número do pedido"). */
function isCode(parameter: ToolParameter): boolean {
  const heads = [...parameter.nameWords, ...contentWords(parameter.description).slice(0, 1)];
  return heads.some((word) => ABOUT_CODE.test(word)) && !isContact(parameter);
}

function isContact(parameter: ToolParameter): boolean {
  return isAbout(parameter, ABOUT_EMAIL) || isAbout(parameter, ABOUT_PHONE);
}
