export const knowledgebasesTexts = {
  'knowledgebases.created': { pt: 'Base de conhecimento criada com sucesso', en: 'Knowledge base created' },
  'knowledgebases.updated': {
    pt: 'Base de conhecimento atualizada com sucesso',
    en: 'Knowledge base updated',
  },
  'knowledgebases.deleted': { pt: 'Base de conhecimento excluída com sucesso', en: 'Knowledge base deleted' },
  'knowledgebases.not_found': { pt: 'Base de conhecimento não encontrada', en: 'Knowledge base not found' },
  'knowledgebases.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:base|bases} de conhecimento do seu plano',
    en: 'You have reached the limit of {limit} knowledge {limit:base|bases} of your plan',
  },
  'knowledgebases.status.empty': { pt: 'Vazio', en: 'Empty' },
  'knowledgebases.status.processing': { pt: 'Processando', en: 'Processing' },
  'knowledgebases.status.active': { pt: 'Ativo', en: 'Active' },
  'knowledgebases.status.failed': { pt: 'Falhou', en: 'Failed' },

  'documents.created': {
    pt: 'Documento criado com sucesso. O processamento começará em breve.',
    en: 'Document created. Processing will begin shortly.',
  },
  'documents.updated': { pt: 'Documento atualizado com sucesso', en: 'Document updated' },
  'documents.deleted': { pt: 'Documento excluído com sucesso', en: 'Document deleted' },
  'documents.not_found': { pt: 'Documento não encontrado', en: 'Document not found' },
  'documents.type.website': { pt: 'Site', en: 'Website' },
  'documents.type.pdf': { pt: 'PDF', en: 'PDF' },
  'documents.type.txt': { pt: 'TXT', en: 'TXT' },
  'documents.type.docx': { pt: 'DOCX', en: 'DOCX' },
  'documents.url_or_links': {
    pt: 'O campo {field} é obrigatório quando links não é informado.',
    en: 'The {field} field is required when links is not present.',
  },
  'documents.unread_pages': {
    pt: '{count} de {total} {total:página|páginas} ({names}): {reason}',
    en: '{count} of {total} {total:page|pages} ({names}): {reason}',
  },
  'documents.file_required': {
    pt: 'Um arquivo é obrigatório para este tipo de documento.',
    en: 'A file is required for this document type.',
  },
  'documents.file_empty': { pt: 'O arquivo está vazio.', en: 'The file is empty.' },
  'documents.file_type': {
    pt: 'O conteúdo do arquivo não é do tipo {type}.',
    en: 'The content of the file is not of type {type}.',
  },
  'files.not_shared': {
    pt: 'O arquivo não foi aceito: a API e os workers deste servidor não usam a mesma pasta de arquivos. Avise quem o administra.',
    en: 'The file was not taken: the API and the workers of this server do not use the same folder of files. Tell its operator.',
  },

  'ingestion.encrypted': {
    pt: 'O arquivo está protegido por senha. Envie uma cópia sem senha.',
    en: 'The file is protected by a password. Send a copy without one.',
  },
  'ingestion.scanned': {
    pt: 'O PDF não tem texto, apenas imagens. Envie uma versão com texto (OCR).',
    en: 'The PDF has no text, only images. Send a version with text (OCR).',
  },
  'ingestion.undecodable': {
    pt: 'O texto do PDF não pôde ser lido: as fontes não dizem quais são as letras. Exporte-o novamente ou envie uma versão com OCR.',
    en: 'The text of the PDF could not be read: its fonts do not say what the letters are. Export it again, or send a version with OCR.',
  },
  'ingestion.xfa': {
    pt: 'O PDF é um formulário XFA do Adobe Acrobat, que não pôde ser lido. Imprima-o como PDF e envie essa cópia.',
    en: 'The PDF is an XFA form of Adobe Acrobat that could not be read. Print it to a PDF and send that copy.',
  },
  'ingestion.empty': {
    pt: 'O documento não tem texto. O que está em imagens ou é montado por JavaScript não é lido.',
    en: 'The document has no text. What is in images or drawn by JavaScript is not read.',
  },
  'ingestion.scripted': {
    pt: 'O texto da página é montado por JavaScript e não pôde ser lido. Envie-o como arquivo.',
    en: 'The text of the page is drawn by JavaScript and could not be read. Send it as a file.',
  },
  'ingestion.unknown_characters': {
    pt: '{count} {count:caractere não pôde|caracteres não puderam} ser {count:lido|lidos}. Salve o texto em UTF-8 e envie-o novamente.',
    en: '{count} {count:character|characters} could not be read. Save the text as UTF-8 and send it again.',
  },
  'ingestion.embedded': {
    pt: '{count} {count:objeto incorporado não foi lido|objetos incorporados não foram lidos} (planilha, gráfico ou outro arquivo). Envie o conteúdo como texto.',
    en: '{count} embedded {count:object was|objects were} not read (spreadsheet, chart or another file). Send the content as text.',
  },
  'ingestion.wrong_type': {
    pt: 'O conteúdo do arquivo não corresponde ao tipo do documento.',
    en: 'The content of the file does not match the type of the document.',
  },
  'ingestion.unreadable': {
    pt: 'O arquivo está danificado e não pôde ser lido.',
    en: 'The file is damaged and could not be read.',
  },
  'ingestion.hostile': {
    pt: 'O arquivo foi recusado por segurança: descompactado, é grande demais ou tem conteúdo proibido.',
    en: 'The file was refused for safety: unpacked it is too large or it has forbidden content.',
  },
  'ingestion.too_many_pages': {
    pt: 'O documento tem mais de {max} {max:página|páginas}. Divida-o em partes.',
    en: 'The document has more than {max} {max:page|pages}. Split it.',
  },
  'ingestion.too_much_text': {
    pt: 'O documento tem texto demais. Divida-o em partes.',
    en: 'The document has too much text. Split it.',
  },
  'ingestion.too_slow': {
    pt: 'A leitura do documento levou mais de {seconds} {seconds:segundo|segundos}. Divida-o ou simplifique-o.',
    en: 'Reading the document took more than {seconds} {seconds:second|seconds}. Split or simplify it.',
  },
  'ingestion.too_much_memory': {
    pt: 'A leitura do documento precisou de memória demais. Divida-o ou simplifique-o.',
    en: 'Reading the document needed too much memory. Split or simplify it.',
  },
  'ingestion.file_missing': {
    pt: 'O arquivo enviado não está mais disponível. Envie-o novamente.',
    en: 'The uploaded file is no longer available. Send it again.',
  },
  'ingestion.address_not_allowed': {
    pt: 'O endereço não é público e não pode ser acessado.',
    en: 'The address is not public and cannot be reached.',
  },
  'ingestion.address_too_long': {
    pt: 'O endereço da página é longo demais.',
    en: 'The address of the page is too long.',
  },
  'ingestion.unreachable': {
    pt: 'O site não pôde ser acessado. Verifique o endereço e tente novamente.',
    en: 'The site could not be reached. Check the address and try again.',
  },
  'ingestion.page_too_large': { pt: 'A página é grande demais.', en: 'The page is too large.' },
  'ingestion.too_many_redirects': {
    pt: 'A página redireciona vezes demais.',
    en: 'The page redirects too many times.',
  },
  'ingestion.http_status': {
    pt: 'O site respondeu com o erro HTTP {status}.',
    en: 'The site answered with HTTP error {status}.',
  },
  'ingestion.not_a_page': {
    pt: 'O endereço não leva a uma página de texto.',
    en: 'The address does not lead to a page of text.',
  },
  'ingestion.robots': {
    pt: 'O site não permite a leitura desta página (robots.txt).',
    en: 'The site does not permit reading this page (robots.txt).',
  },
  'ingestion.gave_up': {
    pt: 'O processamento falhou repetidamente. Exclua o documento e envie-o novamente.',
    en: 'Processing failed repeatedly. Delete the document and send it again.',
  },
} as const;
