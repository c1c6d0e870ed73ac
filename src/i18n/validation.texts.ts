/** What is wrong with a field. `{field}` is always given. */
export const validationTexts = {
  'validation.required': { pt: 'O campo {field} é obrigatório.', en: 'The {field} field is required.' },
  'validation.null': {
    pt: 'O campo {field} pode ser omitido, mas não pode ser nulo.',
    en: 'The {field} field can be omitted, but it must not be null.',
  },
  'validation.string': {
    pt: 'O campo {field} deve ser um texto.',
    en: 'The {field} field must be a string.',
  },
  'validation.integer': {
    pt: 'O campo {field} deve ser um número inteiro.',
    en: 'The {field} field must be an integer.',
  },
  'validation.number': {
    pt: 'O campo {field} deve ser um número.',
    en: 'The {field} field must be a number.',
  },
  'validation.boolean': {
    pt: 'O campo {field} deve ser verdadeiro ou falso.',
    en: 'The {field} field must be true or false.',
  },
  'validation.array': {
    pt: 'O campo {field} deve ser uma lista.',
    en: 'The {field} field must be an array.',
  },
  'validation.object': {
    pt: 'O campo {field} deve ser um objeto.',
    en: 'The {field} field must be an object.',
  },
  'validation.distinct': {
    pt: 'O campo {field} não pode ter valores repetidos.',
    en: 'The {field} field must not have repeated values.',
  },
  'validation.min_length': {
    pt: 'O campo {field} deve ter pelo menos {min} {min:caractere|caracteres}.',
    en: 'The {field} field must be at least {min} {min:character|characters}.',
  },
  'validation.max_length': {
    pt: 'O campo {field} não pode ter mais de {max} {max:caractere|caracteres}.',
    en: 'The {field} field must not be greater than {max} {max:character|characters}.',
  },
  'validation.min': {
    pt: 'O campo {field} deve ser no mínimo {min}.',
    en: 'The {field} field must be at least {min}.',
  },
  'validation.max': {
    pt: 'O campo {field} deve ser no máximo {max}.',
    en: 'The {field} field must not be greater than {max}.',
  },
  'validation.min_items': {
    pt: 'O campo {field} deve ter pelo menos {min} {min:item|itens}.',
    en: 'The {field} field must have at least {min} {min:item|items}.',
  },
  'validation.max_items': {
    pt: 'O campo {field} não pode ter mais de {max} {max:item|itens}.',
    en: 'The {field} field must not have more than {max} {max:item|items}.',
  },
  'validation.one_of': {
    pt: 'O campo {field} deve ser um destes valores: {values}.',
    en: 'The {field} field must be one of: {values}.',
  },
  'validation.format': {
    pt: 'O formato do campo {field} é inválido.',
    en: 'The {field} field format is invalid.',
  },
  'validation.url': {
    pt: 'O campo {field} deve ser uma URL válida.',
    en: 'The {field} field must be a valid URL.',
  },
  'validation.url_credentials': {
    pt: 'O campo {field} não pode ter usuário e senha no endereço.',
    en: 'The {field} field must not have a user name and password in the address.',
  },
  'validation.masked': {
    pt: 'O campo {field} está mascarado. Envie o valor completo, ou não envie o campo para manter o valor salvo.',
    en: 'The {field} field is masked. Send the full value, or leave the field out to keep the stored one.',
  },
  'validation.keys': {
    pt: 'O campo {field} só pode ter as chaves {keys}.',
    en: 'The {field} field can only have the keys {keys}.',
  },
  'validation.email': {
    pt: 'O campo {field} deve ser um e-mail válido.',
    en: 'The {field} field must be a valid email address.',
  },
  'validation.uuid': {
    pt: 'O campo {field} deve ser um UUID válido.',
    en: 'The {field} field must be a valid UUID.',
  },
  'validation.date': {
    pt: 'O campo {field} deve ser uma data no formato AAAA-MM-DD.',
    en: 'The {field} field must be a date in the form YYYY-MM-DD.',
  },
  'validation.country': {
    pt: 'O campo {field} deve ser um código de país ISO 3166 de duas letras.',
    en: 'The {field} field must be a two-letter ISO 3166 country code.',
  },
  'validation.future': {
    pt: 'O campo {field} deve ser uma data e hora futura, em ISO 8601 com fuso horário.',
    en: 'The {field} field must be a future date and time, in ISO 8601 with a time zone.',
  },
  'validation.moment': {
    pt: 'O campo {field} deve ser uma data e hora em ISO 8601 com fuso horário.',
    en: 'The {field} field must be a date and time in ISO 8601 with a time zone.',
  },
  'validation.timezone': {
    pt: 'O campo {field} deve ser um fuso horário válido.',
    en: 'The {field} field must be a valid time zone.',
  },
  'validation.timezone_unknown': {
    pt: 'O servidor não conhece o fuso horário do campo {field}. Use o nome atual dele na IANA.',
    en: 'The server does not know the time zone of the {field} field. Use its current IANA name.',
  },
  'validation.exists': {
    pt: 'O valor selecionado para o campo {field} é inválido.',
    en: 'The selected {field} is invalid.',
  },
  'validation.characters': {
    pt: 'O campo {field} contém caracteres não permitidos.',
    en: 'The {field} field contains characters that are not allowed.',
  },
  'validation.name': {
    pt: 'O campo {field} tem um nome que não pode ser usado.',
    en: 'The {field} field has a name that cannot be used.',
  },
  'validation.too_deep': {
    pt: 'O campo {field} tem níveis de aninhamento demais.',
    en: 'The {field} field is nested too deeply.',
  },
  'validation.too_large': {
    pt: 'O campo {field} é grande demais.',
    en: 'The {field} field is too large.',
  },
  'validation.origins': {
    pt: 'O campo {field} deve conter origens como https://loja.example, sem caminho.',
    en: 'The {field} field must contain origins such as https://shop.example, without a path.',
  },
  'validation.phone': {
    pt: 'O campo {field} deve ser um telefone com DDD ou código do país.',
    en: 'The {field} field must be a phone number with its area code or country code.',
  },
  'validation.words': { pt: '{words}', en: '{words}' },
  'validation.more': { pt: '{first} (e mais {count})', en: '{first} (and {count} more)' },
} as const;
