import { describe, expect, it } from '@jest/globals';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { CompiledAssistant } from '../../runtime/compile-assistant.js';
import { fillPlaceholders, type Variables } from '../../runtime/variables.js';
import { visitorVariables } from './visitor-variables.js';

function assistantWith(prompt: string, greeting = '', open: readonly string[] = ['name']): CompiledAssistant {
  return {
    openVariables: new Set(open),
    variablesOf: ({ variables }: { variables: Variables }) => variables,
    instructions: (variables: Variables) => fillPlaceholders(prompt, variables),
    greeting: (variables: Variables) => fillPlaceholders(greeting, variables),
  } as unknown as CompiledAssistant;
}

describe("a visitor's variables", () => {
  it('are kept where the assistant knows them, and dropped elsewhere', () => {
    const sent = { name: 'Ana', role: 'admin', __proto__x: 1 };
    expect(visitorVariables(assistantWith('{{name}} {{role}}'), sent)).toEqual({ name: 'Ana' });
    expect(visitorVariables(assistantWith('{{name}}'), {})).toEqual({});
  });

  it('may be spelled otherwise than in the prompt', () => {
    const assistant = assistantWith('{{Nome Completo}}', '', ['Nome Completo']);
    const sent = { nome_completo: 'Ana', 'Nome Completo ': 'Bia', nome: 'x' };
    expect(visitorVariables(assistant, sent)).toEqual({ nome_completo: 'Ana', 'Nome Completo ': 'Bia' });
  });

  it('have at most 4 kB, of which each letter counts as what it takes', () => {
    const withBytes = (bytes: number) => ({ other: 'é'.repeat((bytes - 12) / 2) });
    expect(Buffer.byteLength(JSON.stringify(withBytes(4_096)))).toBe(4_096);
    expect(visitorVariables(assistantWith(''), withBytes(4_096))).toEqual({});
    expect(() => visitorVariables(assistantWith(''), withBytes(4_098))).toThrow(ValidationFailedError);
  });

  it.each([
    ['instructions', '{{name}}'.repeat(16), ''],
    ['first words', '', '{{name}}'.repeat(16)],
    ['both', '{{name}}'.repeat(8), '{{name}}'.repeat(8)],
  ])('lengthen %s by at most 16,384 characters', (_title, prompt, greeting) => {
    // What is there without them counts for nothing.
    const assistant = assistantWith(prompt + 'x'.repeat(50_000), greeting);
    const name = 'a'.repeat(1_024);
    expect(visitorVariables(assistant, { name })).toEqual({ name });
    const tooLong = () => visitorVariables(assistant, { name: `${name}a` });
    expect(tooLong).toThrow(ValidationFailedError);
    let issues: unknown;
    try {
      tooLong();
    } catch (error) {
      ({ issues } = error as ValidationFailedError);
    }
    expect(JSON.stringify(issues)).toContain('variables');
  });
});
