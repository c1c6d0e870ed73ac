export const labelsTexts = {
  'labels.created': { pt: 'Etiqueta criada com sucesso', en: 'Label created' },
  'labels.updated': { pt: 'Etiqueta atualizada com sucesso', en: 'Label updated' },
  'labels.deleted': { pt: 'Etiqueta excluída com sucesso', en: 'Label deleted' },
  'labels.not_found': { pt: 'Etiqueta não encontrada', en: 'Label not found' },
  'labels.name_taken': {
    pt: 'O campo {field} já está em uso por outra etiqueta.',
    en: 'The {field} has already been taken by another label.',
  },
} as const;
