import type { ToolDefinition } from '../chat-model.js';
import { fillBoolean } from './boolean-value.js';
import type { ArgumentValue, Filler, FillingContext } from './filler.js';
import type { Language } from './language.js';
import { fillNumber } from './number-value.js';
import { isAbout, parametersOf, type ToolParameter } from './tool-parameter.js';
import { remainingRuns, take, takeLabelled, takeMatch, takeQuoted, type Taken } from './utterance.js';
import { contentWords, fold, includesWord, wordsOf } from './words.js';

export interface FilledArguments {
  readonly values: Readonly<Record<string, ArgumentValue>>;
  /** The required parameters the text says nothing about. */
  readonly missing: readonly ToolParameter[];
}

const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/u;
const PHONE = /\+?\(?\d[\d\s().-]{6,}\d/;
const NUMERIC_DATE = String.raw`(?<!\d)(?:\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}(?:\/\d{2,4})?)(?!\d)`;
const SPOKEN_DATE = String.raw`(?<!\d)\d{1,2} de \p{L}{4,9}(?: de \d{4})?`;
const DAY_NAME = String.raw`(?<!\p{L})(?:hoje|amanhã|amanha|today|tomorrow|(?:segunda|terça|quarta|quinta|sexta)(?:-feira)?|sábado|domingo|(?:mon|tues|wednes|thurs|fri|satur|sun)day)(?!\p{L})`;
const DATE = new RegExp(`${NUMERIC_DATE}|${SPOKEN_DATE}|${DAY_NAME}`, 'iu');
const TIME = /(?<!\d)\d{1,2}(?::\d{2}|\s?h(?:\d{2})?|\s?[ap]m)(?![\p{L}\d])/iu;
const TOKEN_WITH_DIGIT = /(?<![\p{L}\p{N}])(?=[\p{L}\p{N}./-]*\d)[\p{L}\p{N}]+(?:[./-][\p{L}\p{N}]+)*/u;

const ABOUT_EMAIL = /^(?:email|e?mail|correio)s?$/;
const ABOUT_PHONE = /^(?:telefone|fone|phone|telephone|celular|mobile|whatsapp)$/;
const ABOUT_DATE = /^(?:data|date|dia|day)$/;
const ABOUT_TIME = /^(?:hora|horario|time|hour)$/;
const ABOUT_IDENTIFIER =
  /^(?:id|codigo|code|numero|number|cpf|cnpj|cep|zip|protocolo|ticket|sku|matricula|placa)$/;
const FREE_TEXT =
  /^(?:query|pergunta|question|consulta|busca|search|mensagem|message|texto|text|motivo|reason|resumo|summary|description|descricao|observacao|notes?|assunto|duvida)$/;

/** Tried in this order over all parameters, the surest first, each on what the former ones left. */
const FILLERS: readonly Filler[] = [
  fillChoice,
  fillPattern(ABOUT_EMAIL, EMAIL),
  fillPattern(ABOUT_DATE, DATE),
  fillPattern(ABOUT_TIME, TIME),
  fillPhone,
  fillQuoted,
  fillLabelledCode(ownHints),
  fillLabelledCode(allHints),
  fillNumber,
  fillBoolean,
  fillLabelled(ownHints),
  fillLabelled(allHints),
  fillIdentifier,
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
  const context: FillingContext = { message, language, toolWords, parameters };
  const values = new Map<string, ArgumentValue>();
  let rest = withoutWrittenName(message, tool);
  for (const fill of FILLERS) {
    for (const parameter of parameters) {
      const taken = values.has(parameter.name) ? null : fill(parameter, rest, context);
      if (taken === null) continue;
      values.set(parameter.name, taken.value);
      rest = taken.rest;
    }
  }
  const filled = parameters.flatMap(({ name }) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    values: Object.fromEntries(filled),
    missing: parameters.filter(({ name, required }) => required && !values.has(name)),
  };
}

function withoutWrittenName(message: string, { name }: ToolDefinition): string {
  return message.replaceAll(/[\p{L}\p{N}_-]+/gu, (token) => (fold(token) === fold(name) ? '\n' : token));
}

function fillChoice(parameter: ToolParameter, rest: string): Taken | null {
  const words = wordsOf(rest).map((word) => word.folded);
  const choice = parameter.choices.find((option) => {
    const optionWords = wordsOf(option);
    return optionWords.length > 0 && optionWords.every(({ folded }) => includesWord(words, folded));
  });
  return choice === undefined ? null : { value: choice, at: 0, rest };
}

function fillPattern(subject: RegExp, pattern: RegExp): Filler {
  return (parameter, rest) =>
    isOpenText(parameter) && isAbout(parameter, subject) ? takeMatch(rest, pattern) : null;
}

function fillPhone(parameter: ToolParameter, rest: string): Taken | null {
  if (!isOpenText(parameter) || !isAbout(parameter, ABOUT_PHONE)) return null;
  const taken = takeMatch(rest, PHONE);
  return taken && { ...taken, value: taken.value.replaceAll(/[\s().-]/g, '') };
}

function fillQuoted(parameter: ToolParameter, rest: string): Taken | null {
  return isOpenText(parameter) ? takeQuoted(rest) : null;
}

/** "pedido AB-123": a code right after a word of the parameter. */
function fillLabelledCode(hintsOf: Hints): Filler {
  return (parameter, rest, context) => {
    if (!isOpenText(parameter)) return null;
    const phrase = takeAfterLabel(parameter, hintsOf(parameter, context), rest, context);
    const code = phrase && TOKEN_WITH_DIGIT.exec(phrase.value);
    return phrase && code?.index === 0 ? take(rest, phrase.at, phrase.at + code[0].length, code[0]) : null;
  };
}

/** "meu nome é Ana": the phrase after a word of the parameter, unless it is the tool that this word names. */
function fillLabelled(hintsOf: Hints): Filler {
  return (parameter, rest, context) => {
    if (!isOpenText(parameter) || isIdentifier(parameter)) return null;
    const labels = hintsOf(parameter, context).filter(
      (word) => includesWord(parameter.nameWords, word) || !includesWord(context.toolWords, word),
    );
    return takeAfterLabel(parameter, labels, rest, context);
  };
}

/** A code has digits; any word that has some will do, and a word without never does. */
function fillIdentifier(parameter: ToolParameter, rest: string): Taken | null {
  return isOpenText(parameter) && isIdentifier(parameter) ? takeMatch(rest, TOKEN_WITH_DIGIT) : null;
}

function fillFreeText(parameter: ToolParameter, rest: string, { message }: FillingContext): Taken | null {
  if (!isOpenText(parameter) || !parameter.nameWords.some((word) => FREE_TEXT.test(word))) return null;
  const value = message.trim();
  return value === '' ? null : { value, at: 0, rest };
}

function fillRemaining(parameter: ToolParameter, rest: string, context: FillingContext): Taken | null {
  if (!isOpenText(parameter) || !parameter.required) return null;
  if (isIdentifier(parameter) || isContact(parameter)) return null;
  const labels = context.parameters.flatMap((other) => other.nameWords);
  const runs = remainingRuns(
    rest,
    (word) => includesWord(context.toolWords, word) || includesWord(labels, word),
  );
  return runs.toSorted((a, b) => b.value.length - a.value.length)[0] ?? null;
}

function takeAfterLabel(
  parameter: ToolParameter,
  labels: readonly string[],
  rest: string,
  { parameters }: FillingContext,
): Taken | null {
  const others = parameters.filter((other) => other !== parameter).flatMap((other) => other.nameWords);
  const own = (word: string): boolean => includesWord(labels, word);
  return takeLabelled(rest, own, (word) => includesWord(others, word) && !own(word));
}

function isOpenText({ type, choices }: ToolParameter): boolean {
  return type === 'string' && choices.length === 0;
}

/** By its name, or by the word its description begins with ("Número do pedido"). */
function isIdentifier(parameter: ToolParameter): boolean {
  const heads = [...parameter.nameWords, ...contentWords(parameter.description).slice(0, 1)];
  return heads.some((word) => ABOUT_IDENTIFIER.test(word)) && !isContact(parameter);
}

function isContact(parameter: ToolParameter): boolean {
  return isAbout(parameter, ABOUT_EMAIL) || isAbout(parameter, ABOUT_PHONE);
}

type Hints = (parameter: ToolParameter, context: FillingContext) => readonly string[];

function allHints(parameter: ToolParameter): readonly string[] {
  return parameter.hints;
}

/** The hints no other parameter shares: "cidade", where one is "Nome completo" and one "Nome da cidade". */
function ownHints(parameter: ToolParameter, { parameters }: FillingContext): readonly string[] {
  const others = parameters.filter((other) => other !== parameter).flatMap((other) => other.hints);
  return parameter.hints.filter((hint) => !includesWord(others, hint));
}
