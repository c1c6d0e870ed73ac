import { describe, expect, it } from '@jest/globals';
import { bookingContent, bookingParameters } from './booking-parameters.js';

const OPTIONS = ['Clareamento', 'Implante, prótese', 'Implante', 'Outro (diga qual, por favor)'];

describe('a field of a booking form with several answers', () => {
  const topics = { slug: 'topics', type: 'multiselect', label: 'Assuntos', required: true, options: OPTIONS };
  const parameters = bookingParameters('America/Sao_Paulo', [topics]);

  function contentOf(chosen: string) {
    return bookingContent(parameters, { name: 'Ana', email: 'ana@example.com', topics: chosen });
  }

  it.each([
    ['Implante, prótese', ['Implante, prótese']],
    ['Implante', ['Implante']],
    ['Clareamento, Implante,prótese, Implante', ['Clareamento', 'Implante, prótese', 'Implante']],
    ['Outro (diga qual, por favor), Clareamento', ['Outro (diga qual, por favor)', 'Clareamento']],
    [' Clareamento ,, ', ['Clareamento']],
  ])('takes %j, with options that have commas themselves', (chosen, answers) => {
    expect(contentOf(chosen)).toMatchObject({ responses: { topics: answers } });
  });

  it.each(['prótese', 'Implante, Canal', 'Outro (diga qual'])('refuses %j', (chosen) => {
    expect(contentOf(chosen)).toEqual({
      problem: expect.stringContaining('The argument "topics" may only name: Clareamento, '),
    });
  });
});
