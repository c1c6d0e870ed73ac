import { pluralOf } from '../../texts/plural.js';

const plural = pluralOf('pt');

export const palettePt = {
  title: 'Buscar em tudo',
  open: 'Buscar',
  placeholder: 'Página, assistente, campanha, cliente ou número',
  results: 'Resultados',
  groups: {
    pages: 'Páginas',
    assistants: 'Assistentes',
    campaigns: 'Campanhas',
    people: 'Pessoas',
    calls: 'Ligações',
    conversations: 'Conversas',
  },
  none: (words: string) => `Nada encontrado para “${words}”.`,
  callHint: 'Para encontrar uma ligação, digite o número completo do cliente.',
  count: (count: number) => `${count} ${plural(count, 'resultado', 'resultados')}`,
  failed: (groups: string) => `Não foi possível buscar em: ${groups}.`,
};
