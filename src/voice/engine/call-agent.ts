import { ReadableStream, TransformStream, type TransformStreamDefaultController } from 'node:stream/web';
import { llm, type stt, voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { MarkdownText } from '../../common/spoken-text/markdown/markdown-text.js';
import type { TranscriptTurn } from '../../runtime/call/session/call-setup.js';
import { messageOf } from '../../runtime/call/session/colleague-words.js';
import { SpokenWords } from './spoken-words.js';

export interface CallAgentOptions {
  readonly instructions: string;
  readonly tools: llm.ToolContextEntry[];
  /** What was said before. */
  readonly conversation: llm.ChatContext;
  /** The words of what will be heard next, as they come. */
  onWords(words: SpokenWords): void;
  /** What the session is to know of what a recognizer has understood; null: nothing. */
  sift(event: stt.SpeechEvent): stt.SpeechEvent | null;
  /** The customer has finished; false leaves the words unanswered. */
  onCustomerTurn(words: string): boolean;
}

/** The assistant as a session knows it. */
export class CallAgent extends voice.Agent {
  private leavesResults = false;

  constructor(private readonly call: CallAgentOptions) {
    const { instructions, tools, conversation } = call;
    super({ instructions, tools, chatCtx: conversation });
  }

  /** The engine asks for it with each stretch of speech. */
  override async transcriptionNode(
    text: ReadableStream<string | voice.TimedString>,
  ): Promise<ReadableStream<string | voice.TimedString> | null> {
    const words = new SpokenWords();
    this.call.onWords(words);
    const listening = new TransformStream<string | voice.TimedString, string | voice.TimedString>({
      transform: (chunk, controller) => {
        words.add(chunk);
        controller.enqueue(chunk);
      },
    });
    return text.pipeThrough(listening);
  }

  /**
   * The engine does not speak about the tools that run now: with one that hands the customer over, the assistant that takes
   * over speaks of them all. Until `answerAgain`, or until the customer has said something.
   */
  leaveResults(): void {
    this.leavesResults = true;
  }

  answerAgain(): void {
    this.leavesResults = false;
  }

  /** The engine asks for an answer to the results of tools as it does for one to the customer. */
  override async llmNode(...asked: Parameters<voice.Agent['llmNode']>): ReturnType<voice.Agent['llmNode']> {
    const last = asked[0].items.at(-1);
    if (last?.type === 'message' && last.role === 'user') this.leavesResults = false;
    return this.leavesResults ? emptyStream() : super.llmNode(...asked);
  }

  override async sttNode(...heard: Parameters<voice.Agent['sttNode']>): ReturnType<voice.Agent['sttNode']> {
    const events = await super.sttNode(...heard);
    const sifting = new TransformStream<stt.SpeechEvent | string, stt.SpeechEvent | string>({
      transform: (event, controller) => {
        const sifted = typeof event === 'string' ? event : this.call.sift(event);
        if (sifted !== null) controller.enqueue(sifted);
      },
    });
    return events?.pipeThrough(sifting) ?? null;
  }

  /** What is written and not said is left out. */
  override ttsNode(
    text: ReadableStream<string>,
    settings: voice.ModelSettings,
  ): Promise<ReadableStream<AudioFrame> | null> {
    return super.ttsNode(text.pipeThrough(spokenStream()), settings);
  }

  override async onUserTurnCompleted(_chatCtx: llm.ChatContext, message: llm.ChatMessage): Promise<void> {
    if (!this.call.onCustomerTurn(message.textContent ?? '')) throw new voice.StopResponse();
  }
}

function emptyStream<Chunk>(): ReadableStream<Chunk> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/** Markdown as it comes, as the text that a voice says. */
function spokenStream(): TransformStream<string, string> {
  const markdown = new MarkdownText();
  return new TransformStream({
    transform: (chunk, controller) => enqueueText(controller, markdown.push(chunk)),
    flush: (controller) => enqueueText(controller, markdown.end()),
  });
}

function enqueueText(controller: TransformStreamDefaultController<string>, text: string): void {
  if (text !== '') controller.enqueue(text);
}

export function chatContextOf(history: readonly TranscriptTurn[]): llm.ChatContext {
  const chatCtx = llm.ChatContext.empty();
  for (const turn of history) chatCtx.addMessage(messageOf(turn));
  return chatCtx;
}
