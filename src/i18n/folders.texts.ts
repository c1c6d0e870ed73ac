export const foldersTexts = {
  'folders.created': { pt: 'Pasta criada com sucesso', en: 'Folder created' },
  'folders.updated': { pt: 'Pasta atualizada com sucesso', en: 'Folder updated' },
  'folders.deleted': { pt: 'Pasta excluída com sucesso', en: 'Folder deleted' },
  'folders.not_found': { pt: 'Pasta não encontrada', en: 'Folder not found' },
  'folders.name_taken': {
    pt: 'O campo {field} já está em uso por outra pasta.',
    en: 'The {field} has already been taken by another folder.',
  },
} as const;
