import type { ChatMessage, ChatRequest, ToolDefinition, ToolResultMessage } from '../chat-model.js';
import { describeResults, findAnswer, findAnswerInResult, nextStatement } from './answer.js';
import { fillArguments, type ArgumentValue, type FilledArguments } from './argument-filling.js';
import { languageOf, type Language } from './language.js';
import { isInvitation, PHRASES, smallTalk } from './phrases.js';
import { chooseByFewWords, chooseTools, nearestTool } from './tool-choice.js';
import { type Sources, sourcesOf } from './sources.js';
import type { ToolParameter } from './tool-parameter.js';
import { fold } from './words.js';

export type Decision =
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'call'; readonly calls: readonly DecidedCall[] };

export interface DecidedCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, ArgumentValue>>;
}

/** What a decision is taken on, read once from the messages. */
interface Situation {
  readonly sources: Sources;
  readonly question: string | null;
  /** The user's message before the last. */
  readonly earlierQuestion: string | null;
  /** What the assistant said last before the question; after it, when there is no newer question. */
  readonly lastSaid: string | null;
  readonly saidSinceQuestion: boolean;
  /** All that the assistant has said, oldest first. */
  readonly said: readonly string[];
  readonly results: readonly ToolResultMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly mayCall: boolean;
  readonly mustCall: boolean;
  readonly language: Language;
}

/** The tool by which one assistant takes over from another; the new assistant reads its answer. */
const HANDS_OVER = 'handoff_to_assistant';
const CONSULTS_DOCUMENTS = /\b(?:conhecimentos?|documentos?|documents?|knowledge|faq)\b/;

/** The sandbox model's whole mind: the same request always leads to the same decision. */
export function decide(request: ChatRequest): Decision {
  const situation = read(request);
  const { question, language } = situation;
  const phrases = PHRASES[language];
  if (question === null) return say(phrases.opening);
  if (hasTakenOver(situation)) return takeOver(situation, question);
  if (situation.results.length > 0) return say(answerFromResults(situation, question));
  if (situation.saidSinceQuestion) return say(phrases.stillThere);
  const toolDecision = situation.mayCall
    ? (continueAsking(situation, question) ?? callWhatIsAsked(situation, question))
    : null;
  return (
    toolDecision ??
    goOnIfInvited(situation, question) ??
    sayIfAny(smallTalk(question, language, situation.said.length > 0)) ??
    sayIfAny(answerFrom(situation.sources, question)) ??
    callWhatIsHinted(situation, question) ??
    consultDocuments(situation, question) ??
    say(phrases.unknown)
  );
}

function read({ messages, tools, toolChoice }: ChatRequest): Situation {
  const instructions = messages.flatMap((m) => (m.role === 'system' ? [m.content] : [])).join('\n');
  const questions = messages.flatMap((m) => (m.role === 'user' ? [m.content] : []));
  const at = messages.findLastIndex((message) => message.role === 'user');
  const since = messages.slice(at + 1);
  return {
    sources: sourcesOf(messages),
    question: questions.at(-1) ?? null,
    earlierQuestion: questions.at(-2) ?? null,
    lastSaid: lastSaidIn(messages.slice(0, Math.max(at, 0))),
    saidSinceQuestion: lastSaidIn(since) !== null,
    said: messages.flatMap((m) => (m.role === 'assistant' && m.content.trim() !== '' ? [m.content] : [])),
    results: since.filter((message) => message.role === 'tool'),
    tools,
    mayCall: toolChoice !== 'none',
    mustCall: toolChoice === 'required',
    language: languageOf(questions, instructions),
  };
}

/** Whether the last that happened is that another assistant has handed over, and not that it was refused to. */
function hasTakenOver({ results }: Situation): boolean {
  const last = results.at(-1);
  return last?.name === HANDS_OVER && last.content.includes('"handed_over_to"');
}

/** Answers under the new instructions, and calls nothing: the words that named the tool have had their effect. */
function takeOver({ sources, language }: Situation, question: string): Decision {
  return say(answerFrom(sources, question) ?? PHRASES[language].opening);
}

/** Tells a customer who listens what documents have to say, one sentence a turn; else what this model is. */
function goOnIfInvited({ sources, said, language }: Situation, question: string): Decision | null {
  if (!isInvitation(question)) return null;
  return say(nextStatement(sources.documents, said.join('\n')) ?? PHRASES[language].about);
}

/** Documents first: they are written for customers. The greeting has been heard. */
function answerFrom({ documents, prompt, greeting }: Sources, question: string): string | null {
  return findAnswer(question, documents) ?? findAnswer(question, prompt) ?? findAnswer(question, greeting);
}

function lastSaidIn(messages: readonly ChatMessage[]): string | null {
  const last = messages.findLast((message) => message.role === 'assistant' && message.content.trim() !== '');
  return last?.content.trim() ?? null;
}

function answerFromResults({ results, tools, language }: Situation, question: string): string {
  const passages = results.filter(({ name }) =>
    tools.some((tool) => tool.name === name && consultsDocuments(tool)),
  );
  const others = results.filter((result) => !passages.includes(result));
  const fromPassages = passages
    .map(({ content }) => findAnswerInResult(question, content))
    .filter((text) => text !== null);
  const answers = [
    ...fromPassages,
    ...(others.length > 0 ? [describeResults(others, question, language)] : []),
  ];
  return answers.length > 0 ? answers.join(' ') : PHRASES[language].unknown;
}

/** The answer to our own question after a missing parameter: "De qual cidade?" – "Recife". */
function continueAsking(situation: Situation, question: string): Decision | null {
  const { earlierQuestion, lastSaid, tools, language } = situation;
  if (earlierQuestion === null || lastSaid === null) return null;
  for (const tool of tools) {
    const before = fillArguments(tool, earlierQuestion, language);
    if (before.missing.length === 0 || asksFor(before.missing, language) !== lastSaid) continue;
    const now = fillArguments(tool, question, language);
    const values = { ...now.values, ...before.values };
    return callOrAsk(
      tool,
      { values, missing: before.missing.filter(({ name }) => !(name in values)) },
      language,
    );
  }
  return null;
}

function callWhatIsAsked({ tools, mustCall, language }: Situation, question: string): Decision | null {
  const chosen = chooseTools(question, tools);
  const nearest = chosen.length === 0 && mustCall ? nearestTool(question, tools) : null;
  if (nearest !== null) return call(nearest, fillArguments(nearest, question, language));
  const decisions = chosen.map(({ tool, named }) => {
    const filled = fillArguments(tool, question, language);
    // A tool called by its written name is wanted as it is: its own answer tells what is missing.
    return named || mustCall ? call(tool, filled) : callOrAsk(tool, filled, language);
  });
  const calls = decisions.flatMap((decision) => (decision.kind === 'call' ? decision.calls : []));
  return calls.length > 0 ? { kind: 'call', calls } : (decisions[0] ?? null);
}

/** A weaker sign than a name or several words, so the instructions answer first. */
function callWhatIsHinted({ tools, mayCall, language }: Situation, question: string): Decision | null {
  const tool = mayCall ? chooseByFewWords(question, tools) : null;
  return tool && callOrAsk(tool, fillArguments(tool, question, language), language);
}

/** Searches the knowledge base when no other rule answers. */
function consultDocuments({ tools, mayCall, language }: Situation, question: string): Decision | null {
  const tool = mayCall ? tools.find(consultsDocuments) : undefined;
  if (tool === undefined) return null;
  const filled = fillArguments(tool, question, language);
  return filled.missing.length === 0 ? call(tool, filled) : null;
}

function consultsDocuments({ name, description }: ToolDefinition): boolean {
  return CONSULTS_DOCUMENTS.test(fold(`${name.replaceAll('_', ' ')} ${description}`));
}

function callOrAsk(tool: ToolDefinition, filled: FilledArguments, language: Language): Decision {
  return filled.missing.length > 0 ? say(asksFor(filled.missing, language)) : call(tool, filled);
}

function asksFor(missing: readonly ToolParameter[], language: Language): string {
  const wanted = missing.map(
    ({ name, description }) => description.replace(/[.\s]+$/, '') || name.replaceAll('_', ' '),
  );
  return PHRASES[language].ask(wanted.join('; '));
}

function call(tool: ToolDefinition, { values }: FilledArguments): Decision {
  return { kind: 'call', calls: [{ name: tool.name, arguments: values }] };
}

function say(text: string): Decision {
  return { kind: 'say', text };
}

function sayIfAny(text: string | null): Decision | null {
  return text === null ? null : say(text);
}
