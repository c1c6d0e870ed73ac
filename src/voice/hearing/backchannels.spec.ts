import { describe, expect, it } from '@jest/globals';
import { beginsBackchannel, isBackchannel } from './backchannels.js';

describe('isBackchannel', () => {
  it.each([
    ['pt', 'Uhum.'],
    ['pt', 'uhuuuum'],
    ['pt', 'Uhum, tá.'],
    ['pt', 'É, é...'],
    ['pt', 'TÁ BOM!'],
    ['pt', 'Ahã, sei, sei.'],
    ['pt', 'mmm'],
    ['pt', 'Aham, entendi.'],
    ['pt', 'Ahan, que legal!'],
    ['pt', 'Tô ouvindo, pode falar.'],
    ['pt', 'Poxa...'],
    ['en', 'Yeah, yeah.'],
    ['en', 'Mm-hmm'],
    ['en', 'Uh-huh, right.'],
    ['en', 'mm hmm, okay'],
    ['en', 'Riiight'],
    ['en', "That's right."],
    ['es', 'Ajá, sí, claro.'],
    ['en', "Okay, that's fine."],
    ['es', 'Sí señora, ya entendí.'],
    ['fr', "Euh oui, c'est noté."],
    ['de', 'Na gut, passt.'],
    ['it', 'Eh sì, eh già.'],
    ['fr', "Ouais, d'accord."],
    ['fr', 'Très bien'],
    ['de', 'Ja, genau.'],
    ['de', 'Ach so'],
    ['it', 'Sì, sì, va bene'],
    ['nl', 'Ja, precies'],
    ['ru', 'Угу, понятно.'],
    ['ja', 'はい、はい'],
    ['ko', '네, 알겠습니다'],
    ['zh', '嗯，好的'],
    ['hu', 'Hmm'],
  ])('takes in %s for a sign of listening: %s', (language, words) => {
    expect(isBackchannel(words, [language])).toBe(true);
  });

  it.each([
    ['pt', 'Não'],
    ['pt', 'Espera'],
    ['pt', 'Tá?'],
    ['pt', 'Uhum, mas quanto custa'],
    ['pt', 'Alô'],
    ['pt', 'Sim, mas'],
    ['pt', 'É amanhã'],
    ['pt', 'Tá errado'],
    ['pt', 'sim sim sim sim sim sim sim sim sim'],
    ['en', 'No'],
    ['en', 'Stop'],
    ['en', 'Wait'],
    ['en', 'Right?'],
    ['en', 'Yeah, but'],
    ['en', 'Yeah, no'],
    ['en', 'Hold on'],
    ['es', 'No, espera'],
    ['fr', 'Non'],
    ['de', 'Nein'],
    ['it', 'Un attimo'],
    ['ja', 'いいえ'],
    ['pt', ''],
    ['pt', '...'],
  ])('hears in %s something to answer: %s', (language, words) => {
    expect(isBackchannel(words, [language])).toBe(false);
  });

  it('knows the words of all languages that the assistant speaks', () => {
    expect(isBackchannel('yeah, claro', ['pt'])).toBe(false);
    expect(isBackchannel('yeah, claro', ['pt', 'en'])).toBe(true);
  });

  it('takes words that are still being spoken for what they may become', () => {
    expect(beginsBackchannel('uh', ['pt'])).toBe(true);
    expect(beginsBackchannel('tá, ent', ['pt'])).toBe(true);
    expect(beginsBackchannel('tá, espe', ['pt'])).toBe(false);
    expect(beginsBackchannel('quanto', ['pt'])).toBe(false);
  });
});
