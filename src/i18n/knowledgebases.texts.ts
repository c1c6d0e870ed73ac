export const knowledgebasesTexts = {
  'knowledgebases.created': { pt: 'Base de conhecimento criada com sucesso', en: 'Knowledge base created' },
  'knowledgebases.updated': {
    pt: 'Base de conhecimento atualizada com sucesso',
    en: 'Knowledge base updated',
  },
  'knowledgebases.deleted': { pt: 'Base de conhecimento excluída com sucesso', en: 'Knowledge base deleted' },
  'knowledgebases.not_found': { pt: 'Base de conhecimento não encontrada', en: 'Knowledge base not found' },
  'knowledgebases.daily_searches': {
    pt: 'Sua conta já fez {max} {max:pesquisa|pesquisas} em bases de conhecimento hoje (UTC), o limite diário. Tente novamente amanhã.',
    en: 'Your account has made {max} {max:search|searches} of knowledge bases today (UTC), the daily limit. Try again tomorrow.',
  },
  'knowledgebases.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:base|bases} de conhecimento do seu plano',
    en: "Your plan's limit of {limit} knowledge {limit:base|bases} has been reached",
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
  'documents.limit': {
    pt: 'Uma base de conhecimento pode ter no máximo {limit} {limit:documento|documentos}',
    en: 'A knowledge base can have at most {limit} {limit:document|documents}',
  },
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
    pt: 'O arquivo não foi aceito: a API e os workers deste servidor não usam a mesma pasta de arquivos. Fale com o administrador do servidor.',
    en: "The file was not accepted: this server's API and workers do not share the same file folder. Contact the server administrator.",
  },

  'ingestion.encrypted': {
    pt: 'O arquivo está protegido por senha. Envie uma cópia sem senha.',
    en: 'The file is password-protected. Upload a copy without a password.',
  },
  'ingestion.scanned': {
    pt: 'Este PDF contém apenas imagens. Envie uma versão com texto (OCR).',
    en: 'This PDF contains only images. Upload a version with text (OCR).',
  },
  'ingestion.undecodable': {
    pt: 'Não foi possível ler o texto do PDF porque as fontes não têm um mapa de caracteres. Exporte-o novamente ou envie uma versão com OCR.',
    en: "The PDF's text could not be read because its fonts have no character map. Export it again, or upload a version with OCR.",
  },
  'ingestion.xfa': {
    pt: 'Este PDF é um formulário XFA da Adobe, que não pode ser lido. Imprima-o como PDF e envie essa cópia.',
    en: 'This PDF is an Adobe XFA form, which cannot be read. Print it to a PDF and upload that copy.',
  },
  'ingestion.empty': {
    pt: 'O documento não tem texto. Textos em imagens ou montados por JavaScript não são lidos.',
    en: 'The document has no text. Text in images or drawn by JavaScript is not read.',
  },
  'ingestion.scripted': {
    pt: 'O texto da página é montado por JavaScript e não pôde ser lido. Envie-o como arquivo.',
    en: "The page's text is drawn by JavaScript and could not be read. Upload it as a file.",
  },
  'ingestion.unknown_characters': {
    pt: '{count} {count:caractere não pôde|caracteres não puderam} ser {count:lido|lidos}. Salve o texto em UTF-8 e envie-o novamente.',
    en: '{count} {count:character|characters} could not be read. Save the text as UTF-8 and upload it again.',
  },
  'ingestion.embedded': {
    pt: '{count} {count:objeto incorporado não foi lido|objetos incorporados não foram lidos} (planilha, gráfico ou outro arquivo). Envie o conteúdo como texto.',
    en: '{count} embedded {count:object was|objects were} not read (spreadsheet, chart or another file). Upload the content as text.',
  },
  'ingestion.wrong_type': {
    pt: 'O conteúdo do arquivo não corresponde ao tipo do documento.',
    en: 'The content of the file does not match the type of the document.',
  },
  'ingestion.unreadable': {
    pt: 'O arquivo está danificado e não pôde ser lido. Envie outra cópia.',
    en: 'The file is damaged and could not be read. Upload another copy.',
  },
  'ingestion.hostile': {
    pt: 'O arquivo foi recusado por segurança: descompactado, é grande demais ou tem conteúdo proibido.',
    en: 'The file was rejected for security reasons: too large when unpacked, or unsafe content.',
  },
  'ingestion.too_many_pages': {
    pt: 'O documento tem mais de {max} {max:página|páginas}. Divida-o em arquivos menores.',
    en: 'The document has more than {max} {max:page|pages}. Split it into smaller files.',
  },
  'ingestion.too_much_text': {
    pt: 'O documento tem texto demais. Divida-o em arquivos menores.',
    en: 'The document has too much text. Split it into smaller files.',
  },
  'ingestion.too_slow': {
    pt: 'O processamento do documento levou mais de {seconds} {seconds:segundo|segundos}. Divida-o ou simplifique-o.',
    en: 'Processing the document took more than {seconds} {seconds:second|seconds}. Split or simplify it.',
  },
  'ingestion.too_much_memory': {
    pt: 'O processamento do documento precisou de memória demais. Divida-o ou simplifique-o.',
    en: 'Processing the document needed too much memory. Split or simplify it.',
  },
  'ingestion.file_missing': {
    pt: 'O arquivo enviado não está mais disponível. Envie-o novamente.',
    en: 'The uploaded file is no longer available. Upload it again.',
  },
  'ingestion.address_not_allowed': {
    pt: 'Esta URL não é pública e não pode ser lida.',
    en: 'This URL is not public, so it cannot be read.',
  },
  'ingestion.address_too_long': {
    pt: 'A URL da página é longa demais.',
    en: "The page's URL is too long.",
  },
  'ingestion.unreachable': {
    pt: 'Não foi possível acessar o site. Verifique a URL e tente novamente.',
    en: 'The website could not be reached. Check the URL and try again.',
  },
  'ingestion.page_too_large': { pt: 'A página é grande demais.', en: 'The page is too large.' },
  'ingestion.too_many_redirects': {
    pt: 'A página redireciona muitas vezes.',
    en: 'The page redirects too many times.',
  },
  'ingestion.http_status': {
    pt: 'O site respondeu com o erro HTTP {status}.',
    en: 'The website responded with HTTP error {status}.',
  },
  'ingestion.not_a_page': {
    pt: 'Esta URL não é uma página de texto.',
    en: 'This URL is not a text page.',
  },
  'ingestion.robots': {
    pt: 'O site bloqueia a leitura desta página (robots.txt).',
    en: 'The website blocks this page for crawlers (robots.txt).',
  },
  'ingestion.gave_up': {
    pt: 'O processamento falhou repetidamente. Exclua o documento e envie-o novamente.',
    en: 'Processing failed repeatedly. Delete the document and upload it again.',
  },
} as const;
