import { describe, expect, it } from '@jest/globals';
import { spoken, framesOf, joined, mixed, noise, tone } from '@prosa/testing';
import type { RemoteParty } from '../../runtime/call/session/remote-party.js';
import { AnsweringMachineDetector } from './answering-machine-detector.js';

const RATE_HZ = 8_000;

/** A stretch of a call: what the far end sounds like, whether the assistant speaks, and what is understood at its end. */
interface Part {
  readonly sound: Int16Array;
  readonly assistant?: boolean;
  readonly words?: string;
}

function quiet(ms: number): Part {
  return { sound: noise(RATE_HZ, ms, 0.001) };
}

/** The assistant speaks, and the far end is silent. */
function assistant(ms: number): Part {
  return { ...quiet(ms), assistant: true };
}

async function said(text: string, { voice = 'pt-br', words = text } = {}): Promise<Part> {
  return { sound: await spoken(text, RATE_HZ, voice), words };
}

function beep(hz = 1_000, ms = 400): Part {
  return { sound: tone(hz, RATE_HZ, ms, 0.3) };
}

/** What is decided, in order. */
function judge(...parts: readonly Part[]): RemoteParty[] {
  return listen(new AnsweringMachineDetector(RATE_HZ), parts);
}

function listen(detector: AnsweringMachineDetector, parts: readonly Part[]): RemoteParty[] {
  return parts.flatMap(({ sound, assistant: speaks, words }) => {
    const heard = [...framesOf(sound, RATE_HZ)].map((frame) => detector.hear(frame, speaks));
    return [...heard, words ? detector.words(words) : null].filter((farEnd) => farEnd !== null);
  });
}

describe('people who are called', () => {
  it.each([
    ['Alô?', 'Não consigo atender agora, estou no médico, liga mais tarde.'],
    ['Oi?', 'Meu telefone ficou desligado a manhã inteira, desculpa.'],
    ['Quem é?', 'Pode deixar o recado comigo que eu aviso ela.'],
    ['Alô?', 'Deixe sua mensagem após o sinal. Mentira, sou eu, pode falar.'],
    ['Alô?', 'O número que você ligou não existe mais no nosso cadastro.'],
    ['Bom dia.', 'Caiu na caixa postal quando eu retornei a ligação.'],
  ])('who say "%s", hear the assistant and say "%s" are people', async (hello, sentence) => {
    const decisions = judge(
      quiet(400),
      await said(hello),
      quiet(1_200),
      assistant(3_000),
      quiet(500),
      await said(sentence),
      quiet(1_500),
      assistant(2_500),
      quiet(3_000),
    );
    expect(decisions).toEqual(['human']);
  });

  it.each([
    [
      'pt-br',
      'Laboratório São Lucas, setor de coleta domiciliar, bom dia, meu nome é Renata, com quem eu falo, por favor?',
    ],
    [
      'pt-br',
      'Você ligou para a Ótica Moderna, unidade do centro, boa tarde, quem fala é o Fábio do atendimento.',
    ],
    [
      'en',
      'Good afternoon and thank you for calling Maple Street Pediatrics, my name is Susan, how may I direct your call?',
    ],
    [
      'es',
      'Notaría Fernández y asociados, muy buenos días, le atiende Beatriz del departamento de escrituras, dígame.',
    ],
    [
      'de',
      'Steuerkanzlei Hoffmann und Partner, guten Tag, mein Name ist Katharina Vogel, womit kann ich Ihnen weiterhelfen?',
    ],
  ])('are people though they talk for as long as recordings do (%s)', async (voice, greeting) => {
    const long = await said(greeting, { voice });
    expect(long.sound.length / RATE_HZ).toBeGreaterThan(5.5);
    const reply = await said('Sim.', { voice });
    const decisions = judge(
      quiet(500),
      { ...long, assistant: true },
      quiet(1_500),
      assistant(2_500),
      quiet(700),
      reply,
      quiet(1_500),
    );
    expect(decisions).toEqual(['human']);
  });

  it('are people in a street, in front of a television and on a line that hums', async () => {
    const hello = await said('Alô? Quem está falando?', { words: '' });
    const line = joined(quiet(1_500).sound, hello.sound, quiet(2_500).sound);
    const television = (
      await spoken('Boa noite, estas são as notícias de hoje. O governo anunciou.', RATE_HZ)
    ).map((sample) => sample / 10);
    for (const behind of [noise(RATE_HZ, 1_000, 0.06), tone(120, RATE_HZ, 1_000, 0.015), television])
      expect(judge({ sound: mixed(line, behind) })).toEqual(['human']);
  });

  it('are not made machines of by noise that goes on for half a minute', () => {
    expect(judge({ sound: noise(RATE_HZ, 30_000, 0.2) }, quiet(5_000))).toEqual([]);
  });

  it('stay people when something beeps on their side', async () => {
    const [hello, reply] = [await said('Alô, boa tarde.'), await said('Sim, pode falar.')];
    const waiting = beep(440, 300);
    expect(
      judge(
        quiet(300),
        hello,
        quiet(1_200),
        assistant(1_000),
        waiting,
        assistant(2_000),
        quiet(600),
        reply,
        quiet(1_200),
      ),
    ).toEqual(['human']);
    expect(
      judge(
        quiet(300),
        hello,
        quiet(1_200),
        assistant(2_000),
        quiet(500),
        reply,
        quiet(500),
        beep(2_000, 300),
        quiet(2_500),
      ),
    ).toEqual(['human']);
  });

  it('are people when their company connects them, and it rings', async () => {
    const decisions = judge(
      await said('Um momento, vou transferir.'),
      quiet(1_200),
      beep(425, 1_000),
      quiet(4_000),
      beep(425, 1_000),
      quiet(2_000),
      await said('Compras, boa tarde.'),
      quiet(1_200),
    );
    expect(decisions).toEqual(['human']);
  });

  it('are not waited for any longer once they have replied twice', async () => {
    const detector = new AnsweringMachineDetector(RATE_HZ);
    const turn = [await said('Sim, sou eu.'), quiet(1_200), assistant(2_000), quiet(400)];
    expect(listen(detector, [quiet(300), ...turn, ...turn, ...turn])).toEqual(['human']);
    expect(detector.isWatching).toBe(false);
  });
});

describe('machines', () => {
  it.each([
    ['Este número está temporariamente impedido de receber chamadas.'],
    ['O telefone discado não existe. Verifique o número.'],
    ['A pessoa para quem você ligou não está disponível no momento.'],
    ['Sua chamada será encaminhada para a caixa de mensagens.'],
    ['Grave o seu recado depois do bipe.'],
  ])('are known by words that no person says: "%s"', async (text) => {
    expect(judge(quiet(500), { ...(await said(text)), assistant: true }, quiet(500))).toEqual(['machine']);
  });

  it('are known by the same words after a hello and a pause', async () => {
    const decisions = judge(quiet(300), await said('Oi.'), quiet(1_200), assistant(600), {
      ...(await said('Aqui é o Caio, deixe seu recado após o sinal.')),
      assistant: true,
    });
    expect(decisions).toEqual(['human', 'machine']);
  });

  it('are known by a beep after words that no list has, once nothing follows it', async () => {
    const greeting = await said(
      'Sou o Tiago, e vocês sabem muito bem o que precisam fazer agora, um abraço.',
      { words: '' },
    );
    const beeped = [quiet(300), greeting, quiet(600), beep()];
    expect(judge(...beeped, quiet(900))).toEqual([]);
    expect(judge(...beeped, quiet(4_500))).toContain('machine');
  });

  it('are known by words that people say as well when a beep follows, and they record from then on', async () => {
    const detector = new AnsweringMachineDetector(RATE_HZ);
    const greeting = await said(
      'Aqui é o consultório. No momento não podemos atender, retornaremos em breve.',
    );
    expect(listen(detector, [quiet(300), greeting, quiet(500)])).toEqual([]);
    expect(listen(detector, [beep(620, 900), quiet(1_100)])).toEqual(['machine']);
    expect(detector.hasBeeped).toBe(true);
  });

  it.each(['Leave a message.', 'Deixe recado.', 'Dejen su mensaje.'])(
    'are known by the beep after words that a person might say: "%s"',
    async (text) => {
      const decisions = judge(quiet(500), await said(text), quiet(500), beep(), quiet(1_200));
      expect(decisions.at(-1)).toBe('machine');
    },
  );

  it('are known by their silence after the assistant has spoken, where their words leave a doubt', async () => {
    const greeting = await said(
      'Oi, aqui é a Rita. Deixa um recado que eu te retorno assim que possível, um beijo.',
    );
    const decisions = judge(quiet(300), greeting, quiet(1_700), assistant(3_000), quiet(10_500));
    expect(decisions).toEqual(['machine']);
  });

  it('are fax machines, and numbers of which three rising tones come', async () => {
    expect(judge(quiet(800), beep(2_100, 3_000), quiet(500))).toEqual(['machine']);
    expect(judge(quiet(300), beep(950, 330), beep(1_400, 330), beep(1_800, 330), quiet(500))).toEqual([
      'machine',
    ]);
    expect(judge(quiet(300), beep(1_800, 330), beep(1_400, 330), beep(950, 330), quiet(500))).toEqual([]);
  });

  it('are none where there is silence, clicks, music, or tones of the network alone', () => {
    const click = { sound: tone(900, RATE_HZ, 40, 0.4) };
    const chords = [262, 330, 392, 330].map((hz) =>
      mixed(tone(hz, RATE_HZ, 2_000, 0.1), tone(hz * 1.5, RATE_HZ, 2_000, 0.1)),
    );
    expect(judge(quiet(2_000), click, quiet(2_000), click, beep(), quiet(4_000))).toEqual([]);
    expect(judge({ sound: joined(...chords, ...chords, ...chords) }, quiet(5_000))).toEqual([]);
    expect(judge(beep(425, 1_000), quiet(4_000), beep(425, 1_000), quiet(4_000))).toEqual([]);
  });
});

describe('menus and call screening', () => {
  const words = (text: string) => new AnsweringMachineDetector(RATE_HZ).words(text);

  it.each([
    ['menu', 'Para segunda via da conta, pressione a tecla quatro.'],
    ['menu', 'Para português, digite 1. For English, press 2.'],
    ['menu', "If you know your party's extension, dial it now."],
    ['menu', 'Para hablar con un agente, oprima el cero.'],
    ['menu', 'Pour le service commercial, appuyez sur la touche trois.'],
    ['menu', 'Für Bestellungen drücken Sie bitte die Zwei.'],
    ['menu', 'Per assistenza tecnica digiti tre.'],
    [
      'screening',
      "Hi. If you record your name and reason for calling, I'll see if this person is available.",
    ],
    ['screening', 'Esta ligação está sendo atendida pelo filtro de chamadas.'],
    ['screening', 'Please state your name after the tone, and Google Voice will try to connect you.'],
    ['screening', 'Indique su nombre y el motivo de su llamada.'],
  ] as const)('%s: "%s"', (expected, text) => {
    expect(words(text)).toBe(expected);
  });

  it('may come after a recording, and not from a mailbox that records', async () => {
    const detector = new AnsweringMachineDetector(RATE_HZ);
    expect(detector.words('O número chamado não está disponível.')).toBe('machine');
    expect(detector.words('Para deixar um pedido, digite dois.')).toBe('menu');
    expect(detector.words('Aguarde, por favor.')).toBeNull();
    const mailbox = new AnsweringMachineDetector(RATE_HZ);
    expect(mailbox.words('At the tone, please record your message.')).toBe('machine');
    expect(mailbox.words('When you are finished, hang up, or press one for more options.')).toBeNull();
    const greeting = await said('Oi, deixa recado.');
    expect(
      judge(quiet(300), greeting, quiet(300), beep(), quiet(9_000), { ...quiet(100), words: 'Press five.' }),
    ).toEqual(['machine']);
  });

  it('may have a mailbox behind them, which its words tell and no beep', () => {
    for (const first of ['Press one to be connected.', 'Diga seu nome e o motivo da ligação.']) {
      const detector = new AnsweringMachineDetector(RATE_HZ);
      expect(detector.words(first)).not.toBeNull();
      const talk = { sound: noise(RATE_HZ, 9_000, 0.3) };
      expect(listen(detector, [talk, beep(), quiet(30_000)])).toEqual([]);
      expect(detector.words('Deixe sua mensagem após o sinal.')).toBe('machine');
      expect(detector.isWatching).toBe(false);
    }
  });

  it('are not heard in one phrase of a person who has replied', async () => {
    const decisions = judge(
      await said('Alô?'),
      quiet(1_200),
      assistant(2_000),
      quiet(500),
      await said('Para falar com ela aperte dois no interfone.'),
      quiet(1_500),
    );
    expect(decisions).toEqual(['human']);
  });
});
