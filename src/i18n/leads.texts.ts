export const leadsTexts = {
  'leads.created': { pt: 'Contato criado com sucesso', en: 'Lead created' },
  'leads.updated': { pt: 'Contato atualizado com sucesso', en: 'Lead updated' },
  'leads.deleted': { pt: 'Contato excluído com sucesso', en: 'Lead deleted' },
  'leads.not_found': { pt: 'Contato não encontrado', en: 'Contact not found' },
  'leads.campaign_not_found': { pt: 'Campanha não encontrada', en: 'Campaign not found' },
  'leads.phone_invalid': { pt: 'Número de telefone inválido', en: 'Invalid phone number' },
  'leads.phone_format': {
    pt: 'O campo {field} deve ser um número de telefone válido.',
    en: 'The {field} field must be a valid phone number.',
  },
  'leads.unknown_fields': { pt: 'Campos inválidos: {fields}', en: 'Invalid fields: {fields}' },
  'leads.status_automatic': {
    pt: 'O campo {field} é atribuído automaticamente e não pode ser alterado manualmente.',
    en: 'The {field} field is assigned automatically and cannot be set by hand.',
  },
  'leads.duplicate': {
    pt: 'Este número de telefone já existe nesta campanha',
    en: 'This phone number already exists in this campaign',
  },
  'leads.calling': {
    pt: 'O contato está em uma ligação e não pode ser excluído agora',
    en: 'The contact is on a call and cannot be deleted right now',
  },
  'leads.calling_move': {
    pt: 'O contato está em uma ligação e não pode ser movido agora',
    en: 'The contact is on a call and cannot be moved right now',
  },

  'leads.imported': { pt: 'Importação concluída', en: 'Import completed' },
  'leads.import_not_found': { pt: 'Importação não encontrada', en: 'Import not found' },
  'leads.import_media': {
    pt: 'Envie o arquivo como text/csv ou multipart/form-data, sem compressão',
    en: 'Send the file as text/csv or multipart/form-data, not compressed',
  },
  'leads.import_form': {
    pt: 'O formulário multipart é inválido ou está incompleto',
    en: 'The multipart form is malformed or incomplete',
  },
  'leads.import_too_large': {
    pt: 'O arquivo é grande demais. O limite é de {megabytes} MB',
    en: 'The file is too large. The limit is {megabytes} MB',
  },
  'leads.import_aborted': {
    pt: 'O envio do arquivo foi interrompido. Envie-o novamente',
    en: 'The upload was interrupted. Upload the file again',
  },
  'leads.import_interrupted': {
    pt: 'A importação foi interrompida. Envie o arquivo novamente',
    en: 'The import was interrupted. Upload the file again',
  },
  'leads.import_too_many': {
    pt: 'Esta conta já tem {max} {max:importação|importações} em andamento. Tente novamente quando uma delas terminar',
    en: 'This account already has {max} {max:import|imports} in progress. Try again when one of them has finished',
  },
  'leads.import_stopped': {
    pt: 'A importação parou na linha {line}: {rows} linhas seguidas foram recusadas. Os {imported} contatos importados antes foram mantidos.',
    en: 'The import stopped at line {line}: {rows} consecutive rows were rejected. The {imported} contacts imported before that were kept.',
  },
  'leads.import_nonsense': {
    pt: 'A importação parou porque muitas linhas seguidas foram recusadas. Confira o arquivo',
    en: 'The import stopped because too many consecutive rows were rejected. Check the file',
  },
  'leads.import_no_header': {
    pt: 'O arquivo deve começar com uma linha de cabeçalho.',
    en: 'The file must start with a header row.',
  },
  'leads.import_no_phone_column': {
    pt: 'O arquivo deve ter uma coluna phone_number.',
    en: 'The file must have a phone_number column.',
  },
  'leads.import_repeated_column': {
    pt: 'O arquivo tem a coluna {column} duas vezes.',
    en: 'The file has the column {column} twice.',
  },
  'leads.import_header_characters': {
    pt: 'A linha de cabeçalho do arquivo não está em UTF-8 ou contém caracteres não permitidos.',
    en: 'The header row of the file is not UTF-8 or contains characters that are not allowed.',
  },
  'leads.import_columns': {
    pt: 'O arquivo não pode ter mais de {max} {max:coluna|colunas}.',
    en: 'The file must not have more than {max} {max:column|columns}.',
  },
  'leads.import_first_row': {
    pt: 'A primeira linha parece ser um contato, não um cabeçalho: {row}. Adicione um cabeçalho com nomes como phone_number, ou envie ?header=true se este for o cabeçalho.',
    en: 'The first row looks like a contact, not a header: {row}. Add a header row with names such as phone_number, or send ?header=true if this is the header.',
  },
  'leads.import_needs_columns': {
    pt: 'Sem uma linha de cabeçalho (header=false), informe os nomes das colunas no campo columns.',
    en: 'Without a header row (header=false), pass the column names in the columns field.',
  },
  'leads.import_columns_format': {
    pt: 'O campo columns deve ser uma lista JSON de textos.',
    en: 'The columns field must be a JSON array of strings.',
  },
  'leads.import_old_workbook': {
    pt: 'A planilha tem senha ou está no formato antigo (.xls). Salve como .xlsx sem senha, ou como CSV.',
    en: 'The workbook is password-protected or in the old format (.xls). Save it as .xlsx without a password, or as CSV.',
  },
  'leads.import_workbook_unreadable': {
    pt: 'A planilha não pôde ser lida. Salve como .xlsx ou CSV e envie novamente.',
    en: 'The workbook could not be read. Save it as .xlsx or CSV and send it again.',
  },
  'leads.import_workbook_rows': {
    pt: 'A planilha não pode ter mais de {rows} linhas. Divida o arquivo ou salve como CSV.',
    en: 'The workbook must not have more than {rows} rows. Split the file or save it as CSV.',
  },
  'leads.import_workbook_large': {
    pt: 'A planilha é grande demais: o limite é de {megabytes} MB depois de descompactada. Divida o arquivo ou salve como CSV.',
    en: 'The workbook is too large: the limit is {megabytes} MB when unpacked. Split the file or save it as CSV.',
  },
  'leads.columns_read': { pt: 'Colunas lidas com sucesso', en: 'Columns read' },
  'leads.import_previewed': { pt: 'Prévia da importação', en: 'Preview of the import' },
  'leads.refusals_not_found': {
    pt: 'Esta importação não tem linhas recusadas guardadas. Elas ficam disponíveis por 7 dias.',
    en: 'This import has no rejected rows to download. They are kept for 7 days.',
  },
  'leads.refused_line_column': { pt: 'linha_recusada', en: 'refused_line' },
  'leads.refusal_reason_column': { pt: 'motivo_da_recusa', en: 'refusal_reason' },
  'leads.row_phone_digits': {
    pt: 'A coluna {column} perdeu dígitos na planilha. Formate a coluna como texto e exporte novamente',
    en: 'The column {column} lost digits in the spreadsheet. Format the column as text and export it again',
  },
  'leads.row_phone_missing': { pt: 'A coluna {column} está vazia', en: 'The column {column} is empty' },
  'leads.row_phone_invalid': {
    pt: 'A coluna {column} não é um número de telefone válido',
    en: 'The column {column} is not a valid phone number',
  },
  'leads.row_duplicate': {
    pt: 'O número {phone} já existe nesta campanha',
    en: 'The number {phone} already exists in this campaign',
  },
  'leads.row_columns': {
    pt: 'A linha tem {found} {found:coluna|colunas}, mas o cabeçalho tem {expected}',
    en: 'The row has {found} {found:column|columns}, but the header has {expected}',
  },
  'leads.row_quotes': {
    pt: 'A linha tem aspas que não fecham ou estão fora do lugar',
    en: 'The row has unclosed or misplaced quotes',
  },
  'leads.row_too_long': { pt: 'A linha é longa demais', en: 'The row is too long' },
  'leads.row_characters': {
    pt: 'A linha não está em UTF-8 ou contém caracteres não permitidos',
    en: 'The row is not UTF-8 or contains characters that are not allowed',
  },
} as const;
