import type { FillerConfig } from './assistant-config.js';

/** Sounds rather than words: right in every language we have no phrases for. */
const WORDLESS: FillerConfig = {
  positive: ['Mhm.'],
  negative: ['Hmm.'],
  question: ['Hmm…'],
  neutral: ['Mhm.'],
};

/** By ISO 639-1 code. */
const PHRASES: Readonly<Record<string, FillerConfig>> = {
  pt: {
    positive: ['Que bom!', 'Ótimo.'],
    negative: ['Entendo.', 'Sinto muito.'],
    question: ['Boa pergunta.', 'Deixe-me ver.'],
    neutral: ['Certo.', 'Só um momento.'],
  },
  en: {
    positive: ['Great!', 'Wonderful.'],
    negative: ['I see.', 'I am sorry.'],
    question: ['Good question.', 'Let me see.'],
    neutral: ['Okay.', 'One moment.'],
  },
  es: {
    positive: ['¡Qué bien!', 'Perfecto.'],
    negative: ['Entiendo.', 'Lo siento.'],
    question: ['Buena pregunta.', 'Déjeme ver.'],
    neutral: ['De acuerdo.', 'Un momento.'],
  },
  fr: {
    positive: ['Très bien !', 'Parfait.'],
    negative: ['Je comprends.', 'Je suis désolé.'],
    question: ['Bonne question.', 'Voyons voir.'],
    neutral: ['D’accord.', 'Un instant.'],
  },
  de: {
    positive: ['Sehr schön!', 'Prima.'],
    negative: ['Ich verstehe.', 'Das tut mir leid.'],
    question: ['Gute Frage.', 'Mal sehen.'],
    neutral: ['In Ordnung.', 'Einen Moment.'],
  },
  it: {
    positive: ['Benissimo!', 'Perfetto.'],
    negative: ['Capisco.', 'Mi dispiace.'],
    question: ['Buona domanda.', 'Vediamo.'],
    neutral: ['Va bene.', 'Un momento.'],
  },
  nl: {
    positive: ['Mooi!', 'Prima.'],
    negative: ['Ik begrijp het.', 'Dat spijt me.'],
    question: ['Goede vraag.', 'Even kijken.'],
    neutral: ['Oké.', 'Een ogenblik.'],
  },
  pl: {
    positive: ['Świetnie!', 'Doskonale.'],
    negative: ['Rozumiem.', 'Przykro mi.'],
    question: ['Dobre pytanie.', 'Zobaczmy.'],
    neutral: ['Dobrze.', 'Chwileczkę.'],
  },
  ro: {
    positive: ['Foarte bine!', 'Perfect.'],
    negative: ['Înțeleg.', 'Îmi pare rău.'],
    question: ['Bună întrebare.', 'Să vedem.'],
    neutral: ['Bine.', 'Un moment.'],
  },
  ru: {
    positive: ['Отлично!', 'Прекрасно.'],
    negative: ['Понимаю.', 'Мне жаль.'],
    question: ['Хороший вопрос.', 'Давайте посмотрим.'],
    neutral: ['Хорошо.', 'Одну минуту.'],
  },
  uk: {
    positive: ['Чудово!', 'Дуже добре.'],
    negative: ['Розумію.', 'Мені шкода.'],
    question: ['Гарне запитання.', 'Подивимося.'],
    neutral: ['Добре.', 'Хвилинку.'],
  },
  tr: {
    positive: ['Harika!', 'Çok iyi.'],
    negative: ['Anlıyorum.', 'Üzgünüm.'],
    question: ['Güzel soru.', 'Bir bakayım.'],
    neutral: ['Tamam.', 'Bir dakika.'],
  },
  sv: {
    positive: ['Vad bra!', 'Utmärkt.'],
    negative: ['Jag förstår.', 'Jag beklagar.'],
    question: ['Bra fråga.', 'Låt mig se.'],
    neutral: ['Okej.', 'Ett ögonblick.'],
  },
  no: {
    positive: ['Så bra!', 'Flott.'],
    negative: ['Jeg forstår.', 'Jeg beklager.'],
    question: ['Godt spørsmål.', 'La meg se.'],
    neutral: ['Greit.', 'Et øyeblikk.'],
  },
  da: {
    positive: ['Hvor godt!', 'Fint.'],
    negative: ['Jeg forstår.', 'Det beklager jeg.'],
    question: ['Godt spørgsmål.', 'Lad mig se.'],
    neutral: ['Okay.', 'Et øjeblik.'],
  },
  fi: {
    positive: ['Hienoa!', 'Loistavaa.'],
    negative: ['Ymmärrän.', 'Olen pahoillani.'],
    question: ['Hyvä kysymys.', 'Katsotaanpa.'],
    neutral: ['Selvä.', 'Hetkinen.'],
  },
  cs: {
    positive: ['Výborně!', 'Skvělé.'],
    negative: ['Rozumím.', 'To mě mrzí.'],
    question: ['Dobrá otázka.', 'Podívám se.'],
    neutral: ['Dobře.', 'Okamžik.'],
  },
  sk: {
    positive: ['Výborne!', 'Skvelé.'],
    negative: ['Rozumiem.', 'To ma mrzí.'],
    question: ['Dobrá otázka.', 'Pozriem sa.'],
    neutral: ['Dobre.', 'Moment.'],
  },
  hu: {
    positive: ['Remek!', 'Nagyszerű.'],
    negative: ['Értem.', 'Sajnálom.'],
    question: ['Jó kérdés.', 'Nézzük csak.'],
    neutral: ['Rendben.', 'Egy pillanat.'],
  },
  hr: {
    positive: ['Odlično!', 'Izvrsno.'],
    negative: ['Razumijem.', 'Žao mi je.'],
    question: ['Dobro pitanje.', 'Da vidimo.'],
    neutral: ['U redu.', 'Trenutak.'],
  },
  bg: {
    positive: ['Чудесно!', 'Отлично.'],
    negative: ['Разбирам.', 'Съжалявам.'],
    question: ['Добър въпрос.', 'Да видим.'],
    neutral: ['Добре.', 'Един момент.'],
  },
  el: {
    positive: ['Ωραία!', 'Τέλεια.'],
    negative: ['Καταλαβαίνω.', 'Λυπάμαι.'],
    question: ['Καλή ερώτηση.', 'Για να δούμε.'],
    neutral: ['Εντάξει.', 'Μια στιγμή.'],
  },
  ca: {
    positive: ['Molt bé!', 'Perfecte.'],
    negative: ['Ho entenc.', 'Ho sento.'],
    question: ['Bona pregunta.', 'A veure.'],
    neutral: ['D’acord.', 'Un moment.'],
  },
  id: {
    positive: ['Bagus!', 'Baik sekali.'],
    negative: ['Saya mengerti.', 'Mohon maaf.'],
    question: ['Pertanyaan bagus.', 'Coba saya lihat.'],
    neutral: ['Baik.', 'Sebentar.'],
  },
  ja: {
    positive: ['いいですね。', '素晴らしいです。'],
    negative: ['そうですか。', '申し訳ございません。'],
    question: ['そうですね。', '確認いたします。'],
    neutral: ['はい。', '少々お待ちください。'],
  },
  zh: {
    positive: ['太好了！', '很好。'],
    negative: ['我明白了。', '很抱歉。'],
    question: ['好问题。', '我看一下。'],
    neutral: ['好的。', '请稍等。'],
  },
  ko: {
    positive: ['좋습니다!', '훌륭합니다.'],
    negative: ['그렇군요.', '죄송합니다.'],
    question: ['좋은 질문입니다.', '확인해 보겠습니다.'],
    neutral: ['네.', '잠시만요.'],
  },
};

/** The phrases of a language, for the kinds an assistant sets none of its own. */
export function fillerPhrasesOf(iso2: string | undefined): FillerConfig {
  return (iso2 === undefined ? undefined : PHRASES[iso2]) ?? WORDLESS;
}
