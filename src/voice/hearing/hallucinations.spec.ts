import { describe, expect, it } from '@jest/globals';
import { hasNoWords, isHallucination } from './hallucinations.js';

const NOISE = { speechMs: 300, peakRms: 0.05 };
const SPEECH = { speechMs: 3_000, peakRms: 0.1 };

describe('hasNoWords', () => {
  it.each([
    '.',
    '...',
    '…',
    '-',
    '♪',
    '♪♪♪',
    '♪ la la la ♪',
    '[Música]',
    '[BLANK_AUDIO]',
    '(silêncio)',
    '(Risos)...',
    '[Musique] [Applaudissements]',
    '*tosse*',
    '<|nospeech|>',
    '（音楽）',
    '【拍手】',
    '🎵',
    '🎵 música 🎵',
  ])('finds none in %s', (text) => {
    expect(hasNoWords(text)).toBe(true);
  });

  it.each(['Obrigado.', '[Música] Alô?', '(11) 98765-4321', '(11)', '♪ Alô', '5', 'はい', '(ele disse) sim'])(
    'finds some in %s',
    (text) => {
      expect(hasNoWords(text)).toBe(false);
    },
  );
});

describe('isHallucination', () => {
  it.each([
    ['pt', 'Legendas pela comunidade Amara.org'],
    ['pt', 'Obrigado por assistir!'],
    ['pt', 'Obrigado por assistir! Obrigado por assistir!'],
    ['pt', 'Thank you for watching!'],
    ['en', "Thanks for watching. Don't forget to like and subscribe."],
    ['en', 'Subtitles by the Amara.org community'],
    ['es', 'Subtítulos realizados por la comunidad de Amara.org'],
    ['fr', "Sous-titres réalisés par la communauté d'Amara.org"],
    ['fr', 'Sous-titrage ST 501'],
    ['de', 'Untertitel der Amara.org-Community'],
    ['de', 'Untertitelung des ZDF, 2020'],
    ['pt', 'Obrigada por assistir, até a próxima!'],
    ['pt', 'Se inscreva no canal e ative o sininho.'],
    ['en', 'Thanks for watching, bye!'],
    ['it', 'Sottotitoli e revisione a cura di QTSS'],
    ['ru', 'Субтитры сделал DimaTorzok'],
    ['ja', 'ご視聴ありがとうございました'],
    ['zh', '字幕由Amara.org社区提供'],
    ['ko', '시청해주셔서 감사합니다'],
  ])('takes what a recognizer writes in %s for a short noise for no words: %s', (_language, text) => {
    expect(isHallucination(text, NOISE)).toBe(true);
    expect(isHallucination(text, { speechMs: 9_000, peakRms: 0.002 })).toBe(true);
    expect(isHallucination(text, SPEECH)).toBe(false);
  });

  it.each([
    'Obrigado.',
    'Obrigado',
    'Thank you.',
    'Obrigado por assistir o meu filho',
    'Tchau',
    'Até a próxima.',
    'Das passt',
    'www',
    '',
  ])('hears a customer who says %s', (text) => {
    expect(isHallucination(text, NOISE)).toBe(false);
  });
});
