import { pluralOf } from '../texts/plural.js';

const plural = pluralOf('pt');

export const formsPt = {
  issues: {
    required: () => 'Preencha este campo.',
    integer: () => 'Digite um número inteiro.',
    number: () => 'Digite um número.',
    pattern: () => 'Formato inválido.',
    url: () => 'Digite uma URL que comece com http:// ou https://.',
    minLength: (shown: string, limit: number) =>
      `Digite pelo menos ${shown} ${plural(limit, 'caractere', 'caracteres')}.`,
    maxLength: (shown: string, limit: number) =>
      `Digite no máximo ${shown} ${plural(limit, 'caractere', 'caracteres')}.`,
    minimum: (limit: string) => `O mínimo é ${limit}.`,
    maximum: (limit: string) => `O máximo é ${limit}.`,
    minItems: (limit: string) => `Adicione pelo menos ${limit}.`,
    maxItems: (limit: string) => `Adicione no máximo ${limit}.`,
  },
  count: (used: string, most: string) => `${used} de ${most} caracteres`,
  none: 'Nenhum',
  clear: 'Limpar',
  yes: 'Sim',
  no: 'Não',
  units: { milliseconds: 'ms', seconds: 's', minutes: 'min' },
  reset: 'Restaurar padrão',
  notFound: 'Nenhum resultado',
  confirm: 'Excluir',
  add: 'Adicionar',
  remove: (name: string) => `Remover ${name}`,
  unsaved: 'Alterações não salvas',
  saved: 'Salvo',
  invalid: 'Verifique os campos destacados.',
};
