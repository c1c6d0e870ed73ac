import { describe, expect, it } from '@jest/globals';
import { render, renderForPages, text } from './catalogue.js';

describe('The texts for our own pages', () => {
  it('are those of the answer', () => {
    const reason = { key: 'tools.limit', params: { limit: '1' } };
    expect(renderForPages(reason, 'en')).toBe("Your plan's limit of 1 tool has been reached");
    expect(renderForPages(reason, 'pt')).toBe('Você atingiu o limite de 1 ferramenta do seu plano');
  });

  it('are in the language of the reader where the contract fixes the words of the answer', () => {
    expect(render(text('tools.not_found'), 'pt')).toBe('Tool not found');
    expect(renderForPages({ key: 'tools.not_found' }, 'pt')).toBe('Ferramenta não encontrada');
  });

  it('are missing for a key of a plugin and for a text whose parameter is missing', () => {
    expect(renderForPages({ key: 'appointments.full' }, 'en')).toBeNull();
    expect(renderForPages({ key: 'tools.limit' }, 'en')).toBeNull();
  });
});
