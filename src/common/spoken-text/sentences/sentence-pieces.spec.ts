import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SentencePieces } from './sentence-pieces.js';

function piecesOf(text: string, language = 'pt-BR', sizes: readonly number[] = [1_000_000]): string[] {
  const sentences = new SentencePieces(language);
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(...sentences.push(text.slice(at, at + size)));
    at += size;
  }
  return [...pieces, ...sentences.end()];
}

describe('where sentences end', () => {
  it.each([
    ['pt-BR', 'Abrimos às oito da manhã. | Fechamos às seis da tarde! | Quer marcar uma visita?'],
    ['pt-BR', 'Espere só um pouquinho… | Já encontrei o seu cadastro.'],
    ['pt-BR', 'Fica ao lado do shopping (entrada B). | Pode vir de ônibus também.'],
    ['pt-BR', 'Ela respondeu: “Volto amanhã.” | Depois desligou o telefone.'],
    ['pt-BR', 'Estamos abertos agora!|Venha visitar a loja.'],
    ['pt-BR', 'O pedido é o número 4512. | Anote, por favor.'],
    ['en-US', 'Your order has shipped. | It arrives tomorrow. | Anything else?'],
    ['es-ES', 'Su cita es el lunes a las 10. | ¿Le viene bien esa hora?'],
    ['fr-FR', 'Votre commande est prête. | Voulez-vous la récupérer ?'],
    ['fr-FR', 'Il a dit : « Je viendrai demain matin. » | Ensuite il est parti.'],
    ['fr-FR', 'Elle demande : « Nous fermons à quelle heure ? » | Puis elle raccroche.'],
    ['de-DE', 'Er hat das gestern gesagt. | »Komm bitte morgen.«'],
    ['de-DE', 'Ihr Paket ist unterwegs. | Es kommt um 15 Uhr an.'],
    ['it-IT', 'Il negozio apre alle nove. | Chiude alle sette di sera.'],
    ['zh-CN', '请您稍等一下。|我马上为您查询！|还需要什么帮助吗？'],
    ['ja-JP', 'お電話ありがとうございます。|ご用件をどうぞ。'],
    ['hi-IN', 'आपका ऑर्डर आ गया है। | क्या आप इसे अभी लेंगे?'],
    ['th-TH', 'ร้านของเราเปิดตั้งแต่เก้าโมงเช้าถึงหกโมงเย็นค่ะ | คุณลูกค้าต้องการจองคิวไหมคะ'],
    ['ar-EG', 'موعدك يوم الاثنين القادم. | هل هذا مناسب لك؟'],
    ['el-GR', 'Το κατάστημα ανοίγει στις εννέα. | Θέλετε ραντεβού;'],
  ])('%s: %s', (language, marked) => {
    const parts = marked.split('|');
    expect(piecesOf(parts.join('').replaceAll('  ', ' '), language).map((piece) => piece.trim())).toEqual(
      parts.map((part) => part.trim()),
    );
  });

  it.each([
    ['pt-BR', 'A Sra. Almeida e a Dra. Reis atendem na Al. Santos, nº. 45, apto. 12'],
    ['pt-BR', 'Procure o Eng. Costa na R. Augusta, próximo à Pça. Central'],
    ['pt-BR', 'O João Jr. ligou ontem, e a Acme Ltda. respondeu hoje'],
    ['pt-BR', 'O total é de R$ 2.345,67 às 14.30 em 05.11.2026 para J. R. Souza'],
    ['pt-BR', 'Entre em https://a.br/x?y=1&z=2!ok ou www.b.br?Q=1 e escreva a c.d@e.com'],
    ['pt-BR', 'Trabalhamos com frutas, verduras etc. e também com flores'],
    ['pt-BR', 'Faça assim: 1. Abra o site; 2. Clique em entrar; 3. Espere'],
    ['en-US', 'Ask Mrs. Brown or Sgt. Miller at 5th Ave. Suite 3, approx. 10 min away'],
    ['es-ES', 'Vive en la Avda. Libertad núm. 5 y pregunta por el Lic. Gómez'],
    ['fr-FR', 'Le Dr. Petit reçoit au 5 bd. Voltaire, tél. 01 23 45 67 89'],
    ['de-DE', 'Wir sehen uns am 3. Oktober in der Hauptstr. 5, z. B. um 9 Uhr bei Hr. Klein'],
    ['it-IT', 'Il Sig. Rossi e la Dott.ssa Bianchi sono in P.zza Duomo, tel. 02 1234'],
  ])('not within %s: %s', (language, text) => {
    expect(piecesOf(text, language)).toEqual([text]);
  });

  it('keeps the number of an item with its item', () => {
    const list = 'São duas etapas para pagar:\n1. Abra o aplicativo.\n2. Toque em Pix.\n3. Pronto.';
    for (const piece of piecesOf(list)) expect(piece).not.toMatch(/\d\.$/);
  });

  it('says short sentences together, and nothing where there are only marks', () => {
    expect(piecesOf('Oi! Tudo bem? Sou a Bia, da loja. Certo?')).toEqual([
      'Oi! Tudo bem? Sou a Bia, da loja.',
      ' Certo?',
    ]);
    expect(piecesOf(' … ')).toEqual([]);
    expect(piecesOf('*')).toEqual(['*']);
  });
});

describe('pieces', () => {
  it('come as soon as the next word shows that the sentence is complete', () => {
    const sentences = new SentencePieces('pt-BR');
    expect(sentences.push('Abrimos às oito da manhã.')).toEqual([]);
    expect(sentences.push(' ')).toEqual([]);
    expect(sentences.push('F')).toEqual(['Abrimos às oito da manhã.']);
    const chinese = new SentencePieces('zh-CN');
    expect(chinese.push('我们早上九点开门。')).toEqual([]);
    expect(chinese.push('下')).toEqual(['我们早上九点开门。']);
  });

  const TEXT = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          ' ',
          ' ',
          '\n',
          '. ',
          '! ',
          '? ',
          '... ',
          '… ',
          ', ',
          '。',
          '？',
          '.',
          '!',
          '"',
          '”',
          ')',
          '1. ',
          '12. ',
        ),
        fc.constantFrom(
          'Sr. ',
          'a.b@x.com ',
          'https://a.br/?q=1! ',
          'palavra ',
          'Casa ',
          'p.m. ',
          'é',
          '我们',
          'ค่ะ ',
          'สวัส',
          '।',
          '\u{20000}',
        ),
        fc.constantFrom('x'.repeat(450), '中'.repeat(110), 'uma palavra '.repeat(20)),
        fc.string({ minLength: 1, maxLength: 5 }),
      ),
      { maxLength: 60 },
    )
    .map((parts) => parts.join(''));
  const SIZES = fc.array(fc.integer({ min: 1, max: 11 }), { minLength: 1, maxLength: 6 });

  it('are the same wherever the text is divided', () => {
    fc.assert(
      fc.property(
        TEXT,
        fc.constantFrom('pt-BR', 'zh-CN', 'de-DE', 'th-TH', ''),
        SIZES,
        (text, language, sizes) => {
          expect(piecesOf(text, language, sizes)).toEqual(piecesOf(text, language));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are the whole text, in bounded parts', () => {
    fc.assert(
      fc.property(TEXT, (text) => {
        const pieces = piecesOf(text);
        const sayable = (words: string) => words.replaceAll(/[\s\p{P}]/gu, '');
        expect(sayable(pieces.join(''))).toBe(sayable(text));
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(2_000);
      }),
      { numRuns: 500 },
    );
  });

  it('of a text without an end of a sentence are cut behind a comma, or between words', () => {
    const clauses = 'quando o cliente chega e pede ajuda, ';
    for (const piece of piecesOf(clauses.repeat(40)).slice(0, -1)) expect(piece).toMatch(/,$/);
    const words = piecesOf('palavra '.repeat(200));
    expect(words.join('')).toBe('palavra '.repeat(200).trim());
    for (const piece of words) expect(piece.length).toBeLessThanOrEqual(400);
    for (const piece of piecesOf('字'.repeat(1_000), 'zh-CN')) expect(piece.length).toBeLessThanOrEqual(100);
    const address = `https://a.br/${'x'.repeat(800)}`;
    expect(piecesOf(`Entre em ${address} hoje`).some((piece) => piece.includes(address))).toBe(true);
  });
});
