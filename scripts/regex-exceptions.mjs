/**
 * Regular expressions that are not proven linear, each with the reason why no text from outside makes it slow. `source` is what
 * is between the slashes, or the code that builds it.
 */
export const REGEX_EXCEPTIONS = [
  {
    file: 'src/common/personal-data/person.ts',
    source: '`(?<![0-9])${writtenForms(phoneNumber)}(?![0-9])`',
    reason: 'Digits of one number with gaps of bounded length.',
  },
  {
    file: 'src/common/spoken-text/emoji.ts',
    source:
      '(?:(?:(?![©®™‼⁉](?!\\uFE0F))\\p{Extended_Pictographic}|\\p{Regional_Indicator})[\\p{Emoji_Modifier}\\p{Variation_Selector}\\p{Join_Control}\\p{Me}\\u{E0020}-\\u{E007F}]*)+',
    reason:
      'A picture and its marks are different characters: each is read once. The checker does not know the property.',
  },
  {
    file: 'src/common/spoken-text/emoji.ts',
    source: ' {1,8}(?=[.,;:!?…])',
    reason: 'A bounded number of spaces.',
  },
  {
    file: 'src/common/spoken-text/markdown/line-start.ts',
    source:
      '^(?:(?:>|[-+*•](?=[ \\t])|#{1,6}(?=[ \\t])|\\d{1,9}[.)](?=[ \\t])|\\[[ xX]\\](?=[ \\t]))[ \\t]*)*',
    reason: 'Anchored; each mark begins with a character that is no space, and the text has at most 1,000.',
  },
  {
    file: 'src/common/spoken-text/sentences/sentence-pieces.ts',
    source:
      '[\\p{Sentence_Terminal}…]+(?:["\'”’»)\\]」』】）》〉]| »(?=[\\s,;:]|$))*|\\n|[\\p{Script=Thai}\\p{Script=Lao}]\\p{M}*(?= )',
    reason:
      'Marks and what closes behind them are different characters; the checker does not know the property.',
  },
  {
    file: 'src/contract/contract-check.ts',
    source: '`^${source}/?$`',
    reason: 'Paths of our own API description.',
  },
  {
    file: 'src/modules/voice-workers/twilio/twilio-paths.ts',
    source: '`^/twilio${PROCESS}${ACCOUNT}/(?<what>voice|media|calls/[\\\\w%.~-]{1,200})$`',
    reason: 'Anchored, of constants with bounded repetitions.',
  },
  {
    file: 'src/modules/idempotency/personal-data/answer-personal-data.service.ts',
    source: 'person.pattern',
    reason: 'Digits of one number with gaps of bounded length.',
  },
  {
    file: 'src/modules/knowledgebases/extraction/readers/html/page-facts.ts',
    source: String.raw`^\s*(\d{1,6})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(?:"([^"]*)"?|'([^']*)'?|(\S.*))$`,
    reason: 'Of at most 4,000 characters.',
  },
  {
    file: 'src/modules/knowledgebases/extraction/readers/html/script-drawn.ts',
    source: String.raw`^\W*(?:carregando|aguarde|um momento|só um instante|redirecionando|loading|please wait|just a moment|one moment|redirecting|cargando|espere|redirigiendo|chargement|laden|caricamento)(?!\p{L})`,
    reason: 'Anchored, of at most 120 characters.',
  },
  {
    file: 'src/modules/knowledgebases/extraction/readers/html/struck-text.ts',
    source: String.raw`text-decoration(?:-line)?\s*:[^;}]*\bline-through\b`,
    reason: 'Of at most 2,000 characters.',
  },
  {
    file: 'src/modules/knowledgebases/extraction/readers/raised-text.ts',
    source: String.raw`(\d{1,3}(?:[.,\u00a0 ]\d{3})+|\d+)\s*$`,
    reason: 'Of the last 60 characters of a line.',
  },
  {
    file: 'src/modules/knowledgebases/retrieval/searchable-text.ts',
    source: "`\\\\b(?:${Object.keys(STOP_WORDS).join('|')})\\\\b`",
    reason: 'A choice of constant words.',
  },
  {
    file: 'src/modules/phone-numbers/dto/phone-number.request.ts',
    source: '`^\\\\d{0,${MAX_CONTAINS}}$`',
    reason: 'Anchored, with one bounded repetition.',
  },
  {
    file: 'src/providers/llm/sandbox/answer.ts',
    source: "`^(?:${INSTRUCTION_BEGINNINGS.join('|')})\\\\b`",
    reason: 'Sees a line of an instruction, or a text that was cut; a run of blanks is entered once.',
  },
  {
    file: 'src/providers/llm/sandbox/argument-filling.ts',
    source: '`^-?\\\\d{1,3}(?:\\\\${grouping}\\\\d{3})+(?:\\\\${decimal}\\\\d+)?$`',
    reason: 'Sees one message of a customer; lookarounds are more than the checker reads.',
  },
  {
    file: 'src/runtime/tools/http-tool-request.ts',
    source: 'VARIABLE_PLACEHOLDER',
    reason:
      'The placeholder of variables: at most 240 characters after two braces, which a name does not hold.',
  },
  {
    file: 'src/runtime/tools/http-tool-request.ts',
    source: 'String.raw`${VARIABLE_PLACEHOLDER}|\\{([A-Za-z_]+)\\}`',
    reason: 'The placeholder of variables: each start is at two braces, which a name does not hold.',
  },
  {
    file: 'src/runtime/variables.ts',
    source: 'VARIABLE_PLACEHOLDER',
    reason: 'The placeholder of variables: each start is at two braces, which a name does not hold.',
  },
  {
    file: 'web/console/src/forms/rules.ts',
    source: 'pattern',
    reason: 'Patterns of our own API description, which are checked where they are written.',
  },
  {
    file: 'src/cli/remote-options.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/common/text/decode-text.ts',
    source: '<meta\\s[^<>]{0,500}?\\bcharset\\s*=\\s*(?:["\']\\s*)?([^"\'\\s;/>]+)',
    reason: 'Sees the first 4,096 bytes of a document; the repetition before the name is bounded.',
  },
  {
    file: 'src/config/config-from.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/contract/contract-check.ts',
    source: '\\{[^}]+\\}',
    reason: 'Paths of our own API description.',
  },
  {
    file: 'src/database/outages/outages.ts',
    source:
      '\\b(insert|update|delete|merge|into|nextval|setval|set_config|pg_\\w*advisory\\w*|pg_notify|share)\\b',
    reason: 'SQL of our own.',
  },
  {
    file: 'src/i18n/catalogue.ts',
    source: '\\{(\\w+)(?::([^|}]*)\\|([^}]*))?\\}',
    reason: 'Texts of our own catalogue.',
  },
  {
    file: 'src/modules/auth/passwords/password-rules.ts',
    source: '^[^a-z]+|[^a-z]+$',
    reason: 'A password of at most 256 characters.',
  },
  {
    file: 'src/plugins/check-plugin.ts',
    source: '^(?=.{1,30}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$',
    reason: 'A name of at most 30 characters, of a plugin that the operator installs.',
  },
  {
    file: 'src/providers/llm/openai/answer/python-arguments.ts',
    source: '\\s*(\\w{1,64})\\s*=\\s*',
    reason: 'Sticky: tried at one place, with a bounded name.',
  },
  {
    file: 'src/providers/llm/openai/answer/text-calls.ts',
    source: '<(?:invoke|function)(?:=|\\s+name=)["\']?([\\w.-]{1,64})["\']?\\s*>?',
    reason: 'Starts at a rare word, and continues by bounded repetitions.',
  },
  {
    file: 'src/providers/llm/openai/answer/text-calls.ts',
    source: '<parameter(?:=|\\s+name=)["\']?([^"\'>\\s]{1,200})(?:["\'\\s][^>]{0,100})?>',
    reason: 'Starts at a rare word, and continues by bounded repetitions.',
  },
  {
    file: 'src/providers/llm/openai/openai-chat-model.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/providers/llm/sandbox/answer.ts',
    source: '(?<=[.!?])\\s+(?=[\\p{Lu}\\d"“(])',
    reason: 'Sees a line of an instruction, or a text that was cut; a run of blanks is entered once.',
  },
  {
    file: 'src/providers/llm/sandbox/answer.ts',
    source: '[\\s,;:.]+$',
    reason: 'Sees a line of an instruction, or a text that was cut; a run of blanks is entered once.',
  },
  {
    file: 'src/providers/llm/sandbox/argument-filling.ts',
    source: '(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}./-]*\\d)[\\p{L}\\p{N}]+(?:[./-][\\p{L}\\p{N}]+)*',
    reason: 'Sees one message of a customer; lookarounds are more than the checker reads.',
  },
  {
    file: 'src/providers/llm/sandbox/argument-filling.ts',
    source: '(?<![\\p{L}\\d.,/-]|\\d:)-?\\d+(?:[.,]\\d+)*(?![\\d/:@]|h(?!\\p{L}))',
    reason: 'Sees one message of a customer; lookarounds are more than the checker reads.',
  },
  {
    file: 'src/providers/llm/sandbox/decision.ts',
    source: '[.\\s]+$',
    reason: 'The description of a parameter, which is short.',
  },
  {
    file: 'src/providers/llm/sandbox/words.ts',
    source: '(?<![\\p{L}\\p{N}])e-mails?(?!\\p{L})|[\\p{L}\\p{M}\\p{N}]+',
    reason: 'Each sign is read once; a lookbehind is more than the checker reads.',
  },
  {
    file: 'src/providers/speech/account-keys/speech-key-check.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/providers/speech/vendor-provider.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/providers/storage/file-storage.ts',
    source: '^(?!.*(?:^|\\/)\\.{1,2}(?:\\/|$))[A-Za-z0-9._-]+(?:\\/[A-Za-z0-9._-]+)*$',
    reason: 'Keys of files that we make.',
  },
  {
    file: 'src/providers/storage/s3/s3-file-storage.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/providers/telephony/sip/carrier/numbers/anonymous-caller.ts',
    source: '`^(?:${NOUNS}){0,2}(?:(?:${WORDS})(?:${NOUNS}){0,2}|no(?:${NOUNS}){1,2})$`',
    reason: 'Anchored, of constant words with bounded repetitions.',
  },
  {
    file: 'packages/sip/src/message/header-values.ts',
    source:
      "^SIP\\s*\\/\\s*2\\.0\\s*\\/\\s*([\\w.!%*+`'~-]+)\\s+(\\[[\\da-fA-F:.]+\\]|[\\w.-]+)(?:\\s*:\\s*(\\d{1,5}))?\\s*(?=;|$)",
    reason: 'Anchored, on one header value of bounded length; parts that repeat do not overlap.',
  },
  {
    file: 'packages/sip/src/transport/via.ts',
    source: ';\\s*(?:rport|received)\\s*(?:=[^;]*)?(?=;|$)',
    reason: 'Starts at a semicolon, and continues to the next one at most.',
  },
  {
    file: 'src/runtime/calendar/calendar-settings.ts',
    source: '\\/+$',
    reason: 'A configured address of at most 2,048 characters.',
  },
  {
    file: 'src/voice/fillers/fillers.ts',
    source:
      "\\b(não (funciona|consigo|recebi|gostei)|problema|ruim|péssim[oa]|erro|cancelar|infelizmente|reclama\\w*|triste|no (funciona|puedo)|malo|queja|lamentablemente|doesn[’']t work|can[’']t|cannot|problem|wrong|bad|broken|cancel|unfortunately|complain\\w*|sad|schlecht|kaputt|leider|problème|mauvais|malheureusement)\\b",
    reason:
      'Sees one utterance of a call or one message, which is short; repetitions within it are bounded or start at rare words.',
  },
  {
    file: 'src/voice/fillers/fillers.ts',
    source:
      '\\b(obrigad[oa]|ótim[oa]|perfeit[oa]|adorei|maravilh\\w+|excelente|legal|gracias|genial|perfecto|thanks|thank you|great|perfect|wonderful|excellent|awesome|good|danke|super|toll|merci|parfait|grazie|perfetto)\\b',
    reason:
      'Sees one utterance of a call or one message, which is short; repetitions within it are bounded or start at rare words.',
  },
  {
    file: 'src/voice/fillers/fillers.ts',
    source:
      '\\?\\s*$|^\\W*(como|quando|onde|quem|qual|quais|quanto|quantos|por que|o que|você pode|tem como|cómo|cuándo|dónde|quién|cuál|cuánto|por qué|how|when|where|who|what|which|why|can you|could you|do you|is there|wie|wann|wo|wer|was|warum|comment|quand|où|qui|pourquoi|come|quando|dove|chi|perché)\\b',
    reason:
      'Sees one utterance of a call or one message, which is short; repetitions within it are bounded or start at rare words.',
  },
  {
    file: 'web/shared/markdown.ts',
    source: '[.,;:!?]+$',
    reason: 'One address in an answer of the model, in the browser of its reader.',
  },
  {
    file: 'src/common/text/exact-json.ts',
    source: '^0+(?=\\d)',
    reason: 'Anchored: one run of zeros.',
  },
  {
    file: 'src/modules/knowledgebases/retrieval/searchable-text.ts',
    source: '(?<!\\p{L})\\p{L}{2,}(?:-\\p{L}{2,})+',
    reason: 'Starts once in each word; a lookbehind is more than the checker reads.',
  },
  {
    file: 'src/modules/knowledgebases/retrieval/searchable-text.ts',
    source: '`(?:${UNSPACED.source}\\\\p{M}*)+`',
    reason: 'Two classes that share no character.',
  },
  {
    file: 'src/modules/knowledgebases/retrieval/searchable-text.ts',
    source:
      "`[${[\n    String.raw`\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F`,\n    String.raw`\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7`,\n    String.raw`\\u064B-\\u065F\\u0670\\u06D6-\\u06DC\\u06DF-\\u06E8\\u06EA-\\u06ED`,\n  ].join('')}]+`",
    reason: 'One class of constant characters.',
  },
];
