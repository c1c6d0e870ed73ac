export const callsTexts = {
  'calls.deleted': { pt: 'Chamada excluída com sucesso', en: 'Call deleted' },
  'calls.not_found': { pt: 'Chamada não encontrada', en: 'Call not found' },
  'calls.illegal_move': {
    pt: 'Uma chamada não pode passar de {from} para {to}',
    en: 'A call cannot go from {from} to {to}',
  },
} as const;
