export const phoneNumbersTexts = {
  'phone_numbers.purchased': { pt: 'Número de telefone alugado com sucesso', en: 'Phone number purchased' },
  'phone_numbers.updated': { pt: 'Número de telefone atualizado com sucesso', en: 'Phone number updated' },
  'phone_numbers.deleted': { pt: 'Número de telefone excluído com sucesso', en: 'Phone number deleted' },
  'phone_numbers.not_found': { pt: 'Número de telefone não encontrado', en: 'Phone number not found' },
  'phone_numbers.in_use': {
    pt: 'Este número de telefone já está em uso.',
    en: 'This phone number is already in use.',
  },
  'phone_numbers.not_offered': {
    pt: 'Este número de telefone não está disponível para aluguel. Pesquise primeiro os números disponíveis.',
    en: 'This phone number is not available for rent. Search for available numbers first.',
  },
  'phone_numbers.adopted': {
    pt: 'Número de telefone importado com sucesso',
    en: 'Phone number imported',
  },
  'phone_numbers.not_at_carrier': {
    pt: 'Sua conta do Twilio não tem este número de telefone, ou ele não recebe ligações',
    en: 'Your Twilio account does not have this phone number, or it cannot receive calls',
  },
  'phone_numbers.bound_elsewhere': {
    pt: 'Este número está vinculado a um aplicativo ou tronco no Twilio. Remova o vínculo primeiro',
    en: 'This number is assigned to an application or trunk in Twilio. Remove that assignment first',
  },
  'phone_numbers.unreadable': {
    pt: 'Não foi possível ler o número de telefone. Informe um número válido no formato E.164.',
    en: 'The phone number could not be read. Enter a valid number in E.164 format.',
  },
  'phone_numbers.contains_digits': {
    pt: 'O campo {field} deve ter apenas dígitos, no máximo {max}.',
    en: 'The {field} field must have only digits, at most {max}.',
  },
  'phone_numbers.type_normal': { pt: 'Número dedicado', en: 'Dedicated Number' },
  'phone_numbers.type_sip': { pt: 'Tronco SIP', en: 'SIP Trunk' },
  'phone_numbers.type_caller_id': { pt: 'Caller ID', en: 'Caller ID' },
  'sip_trunks.created': { pt: 'Tronco SIP criado com sucesso', en: 'SIP trunk created' },
  'sip_trunks.updated': { pt: 'Tronco SIP atualizado com sucesso', en: 'SIP trunk updated' },
  'sip_trunks.not_found': { pt: 'Tronco SIP não encontrado', en: 'SIP trunk not found' },
  'sip_trunks.exists': {
    pt: 'Já existe um tronco SIP com o mesmo número, usuário e endereço.',
    en: 'A SIP trunk with the same phone number, username, and address already exists.',
  },
  'sip_trunks.limit': {
    pt: 'Você atingiu o limite de {limit} {limit:tronco|troncos} SIP do seu plano',
    en: "Your plan's limit of {limit} SIP {limit:trunk|trunks} has been reached",
  },
  'sip_trunks.extension_format': {
    pt: 'O campo {field} deve ser um ramal de 1 a 15 caracteres: letras, dígitos e * # + . _ -',
    en: 'The {field} field must be an extension of 1 to 15 characters: letters, digits and * # + . _ -',
  },
  'sip_trunks.number_format': {
    pt: 'O campo {field} deve ser um número de telefone no formato E.164, como +14155550100.',
    en: 'The {field} field must be a phone number in E.164 format, such as +14155550100.',
  },
  'sip_trunks.address': {
    pt: 'O campo {field} deve ser o host público do servidor SIP, como sip.example.com ou sip.example.com:5060.',
    en: 'The {field} field must be the public host of the SIP server, such as sip.example.com or sip.example.com:5060.',
  },
  'sip_trunks.outbound_proxy': {
    pt: 'O campo {field} deve ser true, false ou o host público de um proxy SIP, como proxy.example.com ou proxy.example.com:5060.',
    en: 'The {field} field must be true, false or the public host of a SIP proxy, such as proxy.example.com or proxy.example.com:5060.',
  },
  'sip_trunks.inbound_ips': {
    pt: 'O campo {field} deve ter apenas endereços IP ou faixas CIDR válidos.',
    en: 'The {field} field must have only valid IP addresses or CIDR ranges.',
  },
  'sip_trunks.inbound_ips_wide': {
    pt: 'O campo {field} tem faixas amplas demais: {ranges}. Informe faixas de até /24 (IPv4) ou /48 (IPv6), ou endereços avulsos.',
    en: 'The {field} field has ranges that are too wide: {ranges}. Enter ranges of /24 (IPv4) or /48 (IPv6) at most, or single addresses.',
  },
  'sip_trunks.inbound_ips_required': {
    pt: 'O campo {field} deve ter pelo menos um endereço IP quando o tipo de autorização é ip.',
    en: 'The {field} field must have at least one IP address when the authorization type is ip.',
  },
  'carrier_accounts.stored': { pt: 'Conta do Twilio salva com sucesso', en: 'Twilio account stored' },
  'carrier_accounts.deleted': { pt: 'Conta do Twilio removida com sucesso', en: 'Twilio account removed' },
  'carrier_accounts.tested': { pt: 'Conta do Twilio verificada', en: 'Twilio account tested' },
  'carrier_accounts.not_found': {
    pt: 'Nenhuma conta do Twilio foi cadastrada',
    en: 'No Twilio account has been stored',
  },
  'carrier_accounts.in_use': {
    pt: 'Há números alugados com esta conta do Twilio. Devolva-os antes de trocar ou remover a conta',
    en: 'Some numbers are rented with this Twilio account. Release them before changing or removing it',
  },
  'carrier_accounts.no_public_url': {
    pt: 'Este servidor não tem um endereço público com https que o Twilio possa chamar. Configure um primeiro',
    en: 'This server has no public https address that Twilio can call. Set one first',
  },
  'carrier_accounts.refused': {
    pt: 'O Twilio recusou as credenciais da sua conta. Verifique-as na página de números',
    en: "Twilio rejected your account's credentials. Check them on the numbers page",
  },
  'carrier_accounts.account_sid': {
    pt: 'O campo {field} deve ser AC seguido de 32 dígitos hexadecimais minúsculos.',
    en: 'The {field} field must be AC followed by 32 lowercase hexadecimal digits.',
  },
} as const;
