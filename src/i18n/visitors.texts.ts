/** Refusals of visitors, who talk to `/conversations`, which is English by contract. */
export const visitorsTexts = {
  'visitors.limit_reached': {
    pt: 'Este assistente atingiu o limite por enquanto. Tente novamente em {seconds} {seconds:segundo|segundos}',
    en: 'This assistant has reached its limit for now. Try again in {seconds} {seconds:second|seconds}',
  },
  'visitors.origin_not_allowed': {
    pt: 'Este assistente não pode ser usado a partir deste site',
    en: 'This assistant cannot be used from this website',
  },
  'visitors.challenge_required': {
    pt: 'Este assistente exige um desafio resolvido. Peça um em /conversations/challenges',
    en: 'This assistant requires a solved challenge. Get one at /conversations/challenges',
  },
  'visitors.challenge_invalid': {
    pt: 'O desafio não foi resolvido, expirou ou já foi usado. Peça outro em /conversations/challenges',
    en: 'The challenge is unsolved, expired or already used. Get a new one at /conversations/challenges',
  },
  'visitors.variables_fill_too_much': {
    pt: 'O campo {field} aumentaria demais as instruções do assistente.',
    en: "The {field} field would make the assistant's instructions too long.",
  },
} as const;
