import { parseExact } from '../../../common/text/exact-json.js';
import type { ToolResultMessage } from '../chat-model.js';
import type { Language } from './language.js';
import { contentWords, fold, hasDigit, includesWord, isStopWord, wordsOf } from './words.js';

/** A sentence that may be said, with the words a question could share with it. */
interface Sentence {
  readonly text: string;
  readonly words: readonly string[];
}

const MIN_COVERAGE = 0.5;
const MIN_WORDS_OF_LONG_QUESTION = 3;
const MAX_ANSWER_CHARS = 400;
const MAX_RESULT_FIELDS = 8;
const MAX_LEVELS = 32;

const WORDS: Readonly<Record<Language, { yes: string; no: string; from: string; nothing: string }>> = {
  pt: { yes: 'sim', no: 'não', from: 'Resposta de', nothing: 'não trouxe resultado' },
  en: { yes: 'yes', no: 'no', from: 'Answer from', nothing: 'returned nothing' },
  es: { yes: 'sí', no: 'no', from: 'Respuesta de', nothing: 'no trajo resultado' },
};

/** How sentences begin that tell the assistant how to behave; they are not for the customer. */
const INSTRUCTION_BEGINNINGS = [
  'voce (?:e|deve|esta|nao|sera|vai|pode|liga|atende|oferece|vende|responde|ajuda)',
  'you (?:are|must|should|will|can|may|have|call|answer|offer|sell|help)',
  '(?:seu|sua|your) (?:nome|name|funcao|tarefa|papel|objetivo|role|task|job|goal)',
  'nao (?:faca|diga|use|invente|responda|fale|peca|revele|mencione)',
  '(?:se|quando) (?:o cliente|o usuario)',
  '(?:if|when) the (?:customer|user|caller)',
  'nunca|never|sempre|always|do not|dont|language|idioma|lingua',
  'responda|answer|reply|respond|seja|be|fale|speak|pergunte|ask|chame|cumprimente|greet|ofereca|offer',
  'ajude|help|confirme|confirm|agradeca|evite|avoid|mantenha|keep|lembre|remember',
  'atenda|venda|explique|combine|diga|apresente|informe|encaminhe|transfira|colete|anote|agende|marque|registre|verifique',
  'consulte|use|utilize|trate|converse|convide|tente|busque|encerre|despeca|finalize|conduza|siga|escreva|fique|tenha|faca',
  'peca|envie|oriente|indique|sugira|recomende|identifique|qualifique|resolva|ouca|espere|aguarde|comece|inicie|termine',
  'jamais|somente|apenas|aja|comporte|considere|trabalhe|traga|passe|deixe|conte|mostre|procure|segredo|confidencial|interno',
  'sell|explain|tell|say|collect|book|schedule|transfer|introduce|try|end|start|follow|write|stay|listen|wait|only|treat',
  'check|verify|give|get|make sure|please|let|act|work|bring|show|handle|recommend|suggest|secret|confidential|internal',
  '(?:se|caso|quando|if|when|whenever|unless) \\p{L}+',
  '(?:a|o|the) (?:assistente|assistant|atendente|agente|agent) (?:deve|precisa|nao|must|should|may|will|never)',
];
const INSTRUCTION = new RegExp(`^(?:${INSTRUCTION_BEGINNINGS.join('|')})\\b`, 'u');
/** Marks the second line of "Q: … A: …". */
const ANSWER_MARK = /^(?:r|a|resposta|answer)\s*[:.]\s*/i;

/**
 * The sentence of the sources that answers a question: the one that shares most words with it, if it
 * shares half of them. Null when none does.
 */
export function findAnswer(question: string, sources: string): string | null {
  const asked = contentWords(question).filter((word) => !hasDigit(word));
  if (asked.length === 0) return null;
  const sentences = sentencesOf(sources);
  let best: { index: number; matched: number } | null = null;
  for (const [index, sentence] of sentences.entries()) {
    const matched = asked.filter((word) => includesWord(sentence.words, word)).length;
    if (matched / asked.length < MIN_COVERAGE && matched < MIN_WORDS_OF_LONG_QUESTION) continue;
    if (best === null || matched > best.matched) best = { index, matched };
  }
  return best === null ? null : sayable(sentences, best.index);
}

/** The first sentence of the sources that is for the customer and was not said before; null when there is none. */
export function nextStatement(sources: string, said: string): string | null {
  const sentences = sentencesOf(sources);
  const next = sentences.findIndex(({ text }) => !text.endsWith('?') && !said.includes(closed(text)));
  return next === -1 ? null : sayable(sentences, next);
}

/** The answer to a question in what a knowledge tool returned, as text or as JSON around texts. */
export function findAnswerInResult(question: string, content: string): string | null {
  return findAnswer(
    question,
    fieldsOf(content)
      .map(({ value }) => String(value))
      .join('\n'),
  );
}

/** What the tools answered, a long text shortened to what the question asks for. */
export function describeResults(
  results: readonly ToolResultMessage[],
  question: string,
  language: Language,
): string {
  const words = WORDS[language];
  return results
    .map(({ name, content }) => {
      const label = name.replaceAll(/[_-]+/g, ' ');
      const text = fieldsOf(content)
        .slice(0, MAX_RESULT_FIELDS)
        .map(({ key, value }) => {
          const said = typeof value === 'boolean' ? words[value ? 'yes' : 'no'] : String(value);
          return key === '' ? said : `${key}: ${said}`;
        })
        .join('; ');
      if (text === '') return `"${label}" ${words.nothing}.`;
      const answer = text.length > MAX_ANSWER_CHARS ? findAnswer(question, text) : null;
      return `${words.from} "${label}": ${answer ?? closed(shortened(text.replaceAll(/\s+/g, ' ')))}`;
    })
    .join(' ');
}

interface Field {
  /** Empty for a text on its own. */
  readonly key: string;
  readonly value: string | number | boolean;
}

/** The values of JSON with their keys, depth first and empty ones left out; any other text is one value. */
function fieldsOf(content: string): Field[] {
  return fieldsIn(parseJson(content) ?? content.trim(), '', 1);
}

function fieldsIn(value: unknown, key: string, level: number): Field[] {
  if (typeof value === 'object' && value !== null) {
    // What a tool answers may be nested as deep as there are bytes.
    if (level > MAX_LEVELS) return [];
    return Object.entries(value).flatMap(([name, item]) =>
      fieldsIn(item, Array.isArray(value) ? key : name.replaceAll(/[_-]+/g, ' '), level + 1),
    );
  }
  const isSayable = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isSayable && value !== '' ? [{ key, value }] : [];
}

function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let heading: string[] = [];
  for (const line of text.split('\n')) {
    const plain = line.replace(/^[\s>*•\-–]+|^\s*\d+[.)]\s+/u, '').trim();
    if (plain.startsWith('#') || plain.endsWith(':')) {
      heading = contentWords(plain);
      continue;
    }
    if (plain === '') continue;
    for (const sentence of plain.split(/(?<=[.!?])\s+(?=[\p{Lu}\d"“(])/u)) {
      if (isForAssistant(sentence)) continue;
      const words = wordsOf(sentence).map((word) => word.folded);
      sentences.push({ text: sentence, words: [...words.filter((word) => !isStopWord(word)), ...heading] });
    }
  }
  return sentences;
}

function isForAssistant(sentence: string): boolean {
  if (ANSWER_MARK.test(sentence)) return false;
  const letters = fold(sentence).replaceAll(/[^\p{L}\s]/gu, '');
  return INSTRUCTION.test(letters.trimStart());
}

/** In a list of questions and answers the best match is the question: what follows it is meant. */
function sayable(sentences: readonly Sentence[], index: number): string | null {
  const found = sentences[index]?.text ?? '';
  const text = found.endsWith('?') ? (sentences[index + 1]?.text ?? '') : found;
  const plain = text.replace(ANSWER_MARK, '').trim();
  return plain === '' ? null : shortened(closed(plain));
}

function parseJson(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

function closed(text: string): string {
  return /[.!?…]["”)]?$/u.test(text) ? text : `${text}.`;
}

function shortened(text: string): string {
  if (text.length <= MAX_ANSWER_CHARS) return text;
  const cut = text.slice(0, MAX_ANSWER_CHARS);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), MAX_ANSWER_CHARS / 2)).replace(/[\s,;:.]+$/u, '')}…`;
}
