/** Without accents and in lower case, as `fold` leaves them. Recordings say these; people who answer do not. */
const MACHINE_WORDS: readonly RegExp[] = [
  // Portuguese
  /\b(apos|depois d?o|ao ouvir o) (sinal|bipe?|tom)\b/,
  /\bdeix[ea]( [ao])?( (sua|seu|uma|um))? (mensagem|recado)\b/,
  /\bcaixa (postal|de mensagens?|de voz)\b/,
  /\bcorreio de voz\b/,
  /\bsecretaria eletronica\b/,
  /\b(nao (posso|podemos|pode)|impossibilitad[oa] de) atender\b.*\b(mensagem|recado|retorn\w+)\b/,
  /\b(numero|telefone|celular|aparelho)\b.*\b(desligado|fora (da|de) area|indisponivel)\b/,
  /\bgrave (a )?sua mensagem\b/,
  // English
  /\bleave (me |us )?(a|your|the) (short |brief |detailed )?(message|name)\b/,
  /\b(after|at) the (tone|beep|signal)\b/,
  /\b(voice ?mail|mailbox|answering machine)\b/,
  /\b(can ?not|can'?t|unable to) (take|answer|get to|come to) (your call|the phone)\b/,
  /\b(you have|you've) reached\b.*\b(not available|unavailable|voice ?mail|leave)\b/,
  /\b(person|party|customer|subscriber|number)\b.*\b(is )?(not available|unavailable|switched off)\b/,
];

/** Whether a text is what answering machines and networks say, in Portuguese or English. */
export function soundsLikeMachine(text: string): boolean {
  const folded = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[’`]/g, "'")
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ')
    .replace(/ +/g, ' ');
  return MACHINE_WORDS.some((words) => words.test(folded));
}
