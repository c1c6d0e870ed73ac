import { initializeLogger, llm } from '@livekit/agents';
import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { ScriptedChatModel } from '../../../test/support/scripted-chat-model.js';
import type { ChatMessage } from '../../providers/llm/chat-model.js';
import { Whispers } from '../../runtime/call/whispers/whispers.js';
import { ChatModelLlm } from './chat-model-llm.js';

const OFFERS = [
  'Ofereça ao cliente um desconto de dez por cento no plano anual',
  'Não prometa prazo de entrega antes de sexta-feira à tarde para ninguém',
  'Diga que a segunda via do boleto vai por e-mail ainda hoje sem custo',
  'Pergunte pelo número do pedido que começa com a letra jota e tem nove dígitos',
  'A cliente é a dona da padaria e já reclamou três vezes neste mês conosco',
  'Offer the customer a free month on the family plan if they stay with us',
  "Don't mention the outage in São Paulo until the press office has said something",
  'Ask whether she would rather be called back tomorrow morning by our manager',
  'O limite de crédito dele é de R$ 2.500,00 e não pode ser passado de jeito nenhum',
  'Ele já ouviu essa proposta ontem: fale só do frete grátis e do brinde novo',
];
const ENDS = [
  '.',
  ', e seja gentil com ele.',
  '; depois confirme o endereço de entrega.',
  ' – isso fica entre nós!',
  '. Se ele recusar, agradeça e encerre.',
  ' (máximo de duas vezes).',
  '... sem pressa, por favor.',
  '. The manager agreed to it today.',
  ' antes de falar do preço final.',
  ', como combinamos na reunião de ontem.',
];
/** 100 of them. */
const PROMPTS = OFFERS.flatMap((offer) => ENDS.map((end) => offer + end));

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '');
/** How a model changes what it repeats. */
const DISGUISES: readonly ((whisper: string) => string)[] = [
  (whisper) => whisper,
  (whisper) => whisper.toUpperCase(),
  (whisper) => plain(whisper).toLowerCase(),
  (whisper) => `"${whisper}"`,
  (whisper) => whisper.replaceAll(' ', '  '),
  (whisper) => whisper.replaceAll(' ', ', '),
  (whisper) => `**${whisper.split(' ').join('** **')}**`,
  (whisper) => whisper.split(' ').join('\n- '),
];

const wordsOf = (text: string) =>
  plain(text)
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => word !== '');

/** The most words in a row that are also in a row in the whisper. */
function longestRun(answer: readonly string[], whisper: readonly string[]): number {
  let longest = 0;
  for (let from = 0; from < answer.length; from++)
    for (let at = 0; at < whisper.length; at++) {
      let length = 0;
      while (answer[from + length] !== undefined && answer[from + length] === whisper[at + length]) length++;
      longest = Math.max(longest, length);
    }
  return longest;
}

function inPieces(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** What the model has been whispered, as it reads it. */
function whisperIn(messages: readonly ChatMessage[]): string {
  const [system] = messages;
  return /\n- (.*)$/su.exec(String(system?.content))?.[1] ?? '';
}

/** What is spoken and shown of the answer of a model that repeats the whisper. */
async function answerTo(
  whisper: string,
  repeat: (whisper: string) => string,
  sizes: readonly number[],
): Promise<string> {
  const whispers = new Whispers();
  whispers.add(whisper);
  const chatModel = new ScriptedChatModel(({ messages }) => ({
    text: inPieces(repeat(whisperIn(messages)), sizes),
  }));
  const model = new ChatModelLlm({
    chatModel,
    model: { code: 'first' },
    fallbackModel: null,
    temperature: 0,
    instructions: () => whispers.addTo('You are kind.'),
    tools: new Map(),
    whisperFilter: () => whispers.filter(),
    knowledge: null,
    onUsage: () => undefined,
    onError: (error) => {
      throw error;
    },
    onFailure: (error) => {
      throw error;
    },
  });
  const chatCtx = llm.ChatContext.empty();
  chatCtx.addMessage({ role: 'system', content: whispers.addTo('You are kind.'), createdAt: 1 });
  chatCtx.addMessage({ role: 'user', content: 'Está caro.', createdAt: 2 });
  return (await model.chat({ chatCtx }).collect()).text;
}

describe('an answer of a model that repeats its whisper', () => {
  beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

  it('has no eight words of it in a row for any of 100 prompts, however they are disguised and split', async () => {
    expect(new Set(PROMPTS).size).toBe(100);
    for (const [at, whisper] of PROMPTS.entries()) {
      expect(wordsOf(whisper).length).toBeGreaterThanOrEqual(8);
      for (const [which, disguise] of DISGUISES.entries()) {
        const repeat = (text: string) => `Claro! ${disguise(text)} Posso ajudar em algo mais?`;
        const sizes = [1 + ((at + which) % 7), 1 + (at % 3), 40];
        const answer = await answerTo(whisper, repeat, sizes);
        expect(longestRun(wordsOf(repeat(whisper)), wordsOf(whisper))).toBeGreaterThanOrEqual(8);
        expect([whisper, wordsOf(answer).join(' ')]).toEqual([whisper, 'claro posso ajudar em algo mais']);
      }
    }
  });

  it('keeps what is said around a part of it, and the part where that has fewer than eight words', async () => {
    const parts = fc
      .tuple(fc.constantFrom(...PROMPTS), fc.nat(), fc.nat())
      .map(([whisper, from, length]) => ({ whisper, words: whisper.split(' '), from, length }))
      .map(({ whisper, words, from, length }) => {
        const first = from % words.length;
        return { whisper, part: words.slice(first, first + 1 + (length % (words.length - first))).join(' ') };
      });
    await fc.assert(
      fc.asyncProperty(
        parts,
        fc.constantFrom(...DISGUISES.slice(0, 7)),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        async ({ whisper, part }, disguise, sizes) => {
          const answer = wordsOf(await answerTo(whisper, () => `Xis ${disguise(part)} zê`, sizes));
          const count = wordsOf(part).length;
          expect(answer).toEqual(['xis', ...(count >= 8 ? [] : wordsOf(part)), 'ze']);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('never has eight words of it in a row, whatever parts of it the model says in which order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PROMPTS),
        fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.boolean()), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }),
        async (whisper, parts, sizes) => {
          const words = whisper.split(' ');
          const said = parts
            .flatMap(([from, length, isApart]) => [
              ...words.slice(from % words.length, (from % words.length) + length),
              ...(isApart ? ['hum'] : []),
            ])
            .join(' ');
          const answer = wordsOf(await answerTo(whisper, () => said, sizes));
          expect(longestRun(answer, wordsOf(whisper))).toBeLessThan(8);
        },
      ),
      { numRuns: 500 },
    );
  });
});
