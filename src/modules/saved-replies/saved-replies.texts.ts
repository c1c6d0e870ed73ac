import { defineTexts } from '../../i18n/define-texts.js';

export const savedRepliesTexts = defineTexts({
  'saved_replies.created': { pt: 'Resposta salva com sucesso', en: 'Saved reply created' },
  'saved_replies.updated': { pt: 'Resposta salva atualizada com sucesso', en: 'Saved reply updated' },
  'saved_replies.deleted': { pt: 'Resposta salva excluída com sucesso', en: 'Saved reply deleted' },
  'saved_replies.not_found': { pt: 'Resposta salva não encontrada', en: 'Saved reply not found' },
  'saved_replies.limit': {
    pt: 'Sua conta já tem {limit} respostas salvas, o máximo. Exclua as que você não usa mais.',
    en: 'Your account already has {limit} saved replies, the most it can have. Delete those you no longer use.',
  },
  'saved_replies.shortcut': {
    pt: 'O campo {field} só pode ter letras, números e hífens.',
    en: 'The {field} can only have letters, digits and hyphens.',
  },
  'saved_replies.shortcut_taken': {
    pt: 'O campo {field} já está em uso por outra resposta salva.',
    en: 'The {field} has already been taken by another saved reply.',
  },
});
