import { LANGUAGES } from '#shared/languages'

/** Only `ru` is guaranteed; the others fall back to it (partner-api.md, Event). */
export interface PrintedText {
  ru: string
  kk?: string | null
  en?: string | null
}

/** Every venue is in Kazakhstan: one offset, whatever the machine's time zone. */
const VENUE_OFFSET = '+05:00'

export const DATES = ['ru', 'kk', 'en-GB'].map(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      timeZone: VENUE_OFFSET,
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    })
)
export const CLOCK = new Intl.DateTimeFormat('ru', {
  timeZone: VENUE_OFFSET,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

export const LABELS = {
  ticket: { ru: 'Электронный билет', kk: 'Электрондық билет', en: 'E-ticket' },
  sector: { ru: 'Сектор', kk: 'Сектор', en: 'Sector' },
  row: { ru: 'Ряд', kk: 'Қатар', en: 'Row' },
  seat: { ru: 'Место', kk: 'Орын', en: 'Seat' },
  price: { ru: 'Цена', kk: 'Бағасы', en: 'Price' },
  order: { ru: 'Заказ', kk: 'Тапсырыс', en: 'Order' },
  checkCode: { ru: 'Код проверки', kk: 'Тексеру коды', en: 'Check code' },
  fold: { ru: 'Линия сгиба', kk: 'Бүктеу сызығы', en: 'Fold here' },
}

export const STAMPS = {
  used: { ru: 'Использован', kk: 'Пайдаланылған', en: 'Used' },
  expired: { ru: 'Срок истёк', kk: 'Мерзімі өткен', en: 'Expired' },
  void: { ru: 'Аннулирован', kk: 'Күші жойылған', en: 'Void' },
}

// prettier-ignore
export const RULES = {
  valid: {
    heading: { ru: 'На входе', kk: 'Кіреберісте', en: 'At the entrance' },
    ru: 'Предъявите QR-код на входе: с\u00a0экрана телефона или на бумаге. Билет действителен для одного человека и одного прохода: никому не показывайте QR-код до входа и не публикуйте его. Если код не считывается, назовите номер билета и код проверки. Сохраните билет до конца мероприятия.',
    kk: 'Кіреберісте QR-кодты телефон экранынан немесе қағаздан көрсетіңіз. Билет бір адамға бір рет кіруге жарамды, QR-кодты кіргенге дейін ешкімге көрсетпеңіз және жарияламаңыз. Код оқылмаса, билет нөмірі мен тексеру кодын айтыңыз. Билетті іс-шара аяқталғанша сақтаңыз.',
    en: 'Show the QR code at the entrance, on your phone or on paper. The ticket admits one person, once: do not show the QR code to anyone before the entrance and do not publish it. If the code cannot be read, give the ticket number and the check code. Keep the ticket until the event is over.',
  },
  void: {
    heading: { ru: 'Билет аннулирован', kk: 'Билеттің күші жойылған', en: 'This ticket is void' },
    ru: 'Войти по нему нельзя.',
    kk: 'Онымен кіруге болмайды.',
    en: 'It does not admit anyone.',
  },
  help: {
    ru: 'По вопросам обращайтесь туда, где куплен билет, и назовите его номер.',
    kk: 'Сұрақтар туындаса, билетті сатып алған жерге хабарласып, билет нөмірін айтыңыз.',
    en: 'For help, contact the seller you bought the ticket from and quote its number.',
  },
}

/** The Russian text first, then the other languages where their text differs. */
export function languagesOf(text: PrintedText): string[] {
  return [...new Set(LANGUAGES.map((language) => text[language] || text.ru))]
}

export const joined = (text: PrintedText) => languagesOf(text).join(' · ')
export const capitals = (text: PrintedText) => joined(text).toUpperCase()
export const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `12 500 ₸` */
export const tenge = (amount: bigint) => `${amount.toString().replace(/\B(?=(\d{3})+$)/g, ' ')} ₸`

/** One line of what the font can show: no control characters, no emoji and their modifiers. */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[^\S\u00a0]+/g, ' ')
    .replace(/[\p{C}\p{RI}\p{Emoji_Modifier}\p{Variation_Selector}\u20e3]/gu, '')
    .replace(/(?![©®™])\p{Extended_Pictographic}/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
}
