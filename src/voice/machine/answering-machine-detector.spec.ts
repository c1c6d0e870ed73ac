import { describe, expect, it } from '@jest/globals';
import { spoken } from '../../../test/support/voice/espeak.js';
import { AnsweringMachineDetector } from './answering-machine-detector.js';
import { soundsLikeMachine } from './machine-words.js';

const RATE_HZ = 8_000;
const FRAME = 160;

const MACHINES: Readonly<Record<string, readonly string[]>> = {
  'pt-br': [
    'Olá, não posso atender agora. Deixe seu recado após o sinal.',
    'Você ligou para a Padaria Central. No momento não podemos atender. Deixe sua mensagem após o bipe.',
    'Sua chamada está sendo encaminhada para a caixa postal e estará sujeita à cobrança após o sinal.',
    'Oi, aqui é a Ana. Deixa um recado que eu retorno assim que puder. Obrigada.',
    'Este telefone está desligado ou fora da área de cobertura. Tente novamente mais tarde.',
    'Grave sua mensagem após o sinal. Para terminar, desligue ou pressione uma tecla.',
  ],
  en: [
    'Hello, I cannot take your call now. Please leave a message after the tone.',
    "Hi, you've reached the office of John Smith. We are not available at the moment, so please leave your name.",
    'Your call has been forwarded to an automatic voice message system. At the tone, please record your message.',
    'Hey, this is Mary. Leave me a message and I will get back to you as soon as I can. Thanks.',
    'The person you are calling is not available. Please try again later or send a text message instead.',
    'Welcome to the voicemail of five five five, one two three four. Please speak after the beep.',
  ],
};

const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  'pt-br': [
    'Alô?',
    'Oi, quem fala?',
    'Padaria Central, bom dia.',
    'Pronto.',
    'Alô, aqui é a Ana, pode falar.',
    'Padaria Central, boa tarde, meu nome é Clara, em que posso ajudar?',
  ],
  en: [
    'Hello?',
    'Yes, who is this?',
    'Central Bakery, good morning.',
    'Speaking.',
    'Hello, this is Mary, go ahead.',
    'Central Bakery, good afternoon, my name is Claire, how can I help you?',
  ],
};

function silence(ms: number): Int16Array {
  return Int16Array.from({ length: (RATE_HZ * ms) / 1_000 }, (_, index) => ((index * 7_919) % 61) - 30);
}

function beep(): Int16Array {
  return Int16Array.from({ length: RATE_HZ * 0.4 }, (_, index) =>
    Math.round(9_000 * Math.sin((2 * Math.PI * 1_000 * index) / RATE_HZ)),
  );
}

/** What the detector makes of a call that sounds so, all decisions in order; words come when they are over. */
function judge(parts: readonly Int16Array[], words?: { readonly text: string; readonly afterPart: number }) {
  const detector = new AnsweringMachineDetector(RATE_HZ);
  const decisions: string[] = [];
  const note = (decision: string | null) => {
    if (decision) decisions.push(decision);
  };
  parts.forEach((samples, part) => {
    for (let at = 0; at + FRAME <= samples.length; at += FRAME)
      note(detector.hear(samples.subarray(at, at + FRAME)));
    if (words?.afterPart === part) note(detector.words(words.text));
  });
  return decisions;
}

/** With a beep where there are words for it to follow. */
function callOf(words: Int16Array, ...afterwards: Int16Array[]): Int16Array[] {
  return [silence(600), words, silence(700), ...afterwards, silence(3_000)];
}

describe('AnsweringMachineDetector', () => {
  it('takes no person for a machine, and no machine with a beep or known words for a person', async () => {
    const table: Record<string, number> = {};
    const wrong: string[] = [];
    for (const [greetings, expected] of [
      [MACHINES, 'machine'],
      [PEOPLE, 'human'],
    ] as const) {
      for (const [voice, lines] of Object.entries(greetings)) {
        for (const text of lines) {
          const words = await spoken(text, RATE_HZ, voice);
          const outcomes = {
            'by sound alone': judge(callOf(words)).at(-1) ?? 'unknown',
            'with its beep':
              judge(callOf(words, ...(expected === 'machine' ? [beep()] : []))).at(-1) ?? 'unknown',
            'with its words': judge(callOf(words), { text, afterPart: 1 }).at(-1) ?? 'unknown',
          };
          for (const [means, outcome] of Object.entries(outcomes)) {
            const cell = `${expected}s ${means}: ${outcome}`;
            table[cell] = (table[cell] ?? 0) + 1;
            const mayBeUnknown = expected === 'human' || means === 'by sound alone';
            if (outcome !== expected && !(mayBeUnknown && outcome === 'unknown'))
              wrong.push(`${means}: ${outcome}: ${text} (${words.length / 8} ms)`);
          }
        }
      }
    }
    process.stdout.write(`${JSON.stringify(table, null, 2)}\n`);
    expect(wrong).toEqual([]);
    expect(table['humans by sound alone: human']).toBeGreaterThanOrEqual(10);
  });

  it('takes a person for a machine once that beeps', async () => {
    const hello = await spoken('Alô. Aqui é a Ana.', RATE_HZ);
    const decisions = judge([silence(300), hello, silence(1_500), hello, beep(), silence(500)]);
    expect(decisions).toEqual(['human', 'machine']);
  });

  it('decides nothing on silence, clicks, and tones of the network', () => {
    const click = Int16Array.from({ length: FRAME }, (_, index) => (index % 2 ? 9_000 : -9_000));
    expect(judge([silence(2_000), click, silence(2_000), click, beep(), silence(4_000)])).toEqual([]);
  });

  it('hears a person on a line that hums', async () => {
    const hum = (samples: Int16Array) =>
      samples.map(
        (sample, index) => sample + Math.round(250 * Math.sin((2 * Math.PI * 120 * index) / RATE_HZ)),
      );
    const hello = await spoken('Alô?', RATE_HZ);
    expect(judge([silence(1_000), hello, silence(2_000)].map(hum))).toEqual(['human']);
  });

  it.each([
    ['Deixe o seu recado após o sinal.', true],
    ['At the tone, please record your message.', true],
    ['Quero deixar um recado para a gerente.', false],
    ['Não posso falar agora, me liga depois.', false],
    ["I'll get back to you tomorrow.", false],
    ['Tenho interesse, pode me explicar melhor?', false],
    ['Sim, quem fala?', false],
    ['I would like to book an appointment for tomorrow at three o clock.', false],
    ['Can you repeat that, please?', false],
  ])('of words alone: "%s"', (text, expected) => {
    expect(soundsLikeMachine(text)).toBe(expected);
  });
});
