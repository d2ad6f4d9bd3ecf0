import type { Language } from '#shared/languages'

export interface ForbiddenWord {
  pattern: RegExp
  /** What to write instead. */
  use: string
  /** Keys of texts that mean something else by the word. */
  except?: RegExp
}

/** Words that break a term of docs/glossary.md or a rule of STYLE.md, by language. Letters of the Cyrillic alphabet have no `\b`. */
export const FORBIDDEN_WORDS: Record<Language, ForbiddenWord[]> = {
  ru: [
    { pattern: /дефект/i, use: 'расхождение' },
    { pattern: /(?<!\p{L})кейс/iu, use: 'случай' },
    { pattern: /окн\p{L}+ оплаты|после окна|из окна/iu, use: 'срок оплаты' },
    { pattern: /площадк/i, use: 'платформа', except: /venue/ },
    { pattern: /удержан/i, use: 'бронь, забронировано' },
    { pattern: /погас|погаш/i, use: 'аннулирован, использован' },
    {
      pattern: /выпу(ст|щ)\p{L}*/iu,
      use: 'сформировать',
      except: /order_unpaid|cases\.paid|no_tickets|SEAT_RESOLD/,
    },
    { pattern: /отпечат/i, use: 'хеш' },
    { pattern: /штраф/i, use: 'неустойка' },
    { pattern: /под вопросом/i, use: 'под риском' },
    { pattern: /(?<!\p{L})книг[аеиоу]/iu, use: 'файл Excel' },
    { pattern: /втор\p{L}+ человек/iu, use: 'второй сотрудник' },
    { pattern: /доначисл/i, use: 'корректировка' },
    { pattern: /новост/i, use: 'уведомление' },
    { pattern: /секрет(?!н)/i, use: 'секретный ключ' },
    { pattern: /ID платежа/i, use: 'номер платежа' },
    { pattern: /колонк/i, use: 'столбец' },
    { pattern: /заметк/i, use: 'примечание' },
    { pattern: /инвойс|счёт на оплату/i, use: 'счёт-фактура' },
    { pattern: /контракт/i, use: 'договор' },
    { pattern: /(?<!\p{L})долг(а|у|ом|е|и)?(?!\p{L})/iu, use: 'сальдо, задолженность' },
    { pattern: /\(а\)/, use: 'a noun: «Запрос: {person}»' },
    { pattern: /(?<!\p{L})бил\./iu, use: '«Билетов: {n}», or plural forms' },
  ],
  kk: [
    { pattern: /ақау/i, use: 'алшақтық' },
    { pattern: /(?<!\p{L})кейс|оқиға/iu, use: 'жағдай' },
    { pattern: /терезе/i, use: 'мерзім' },
    { pattern: /(?<!\p{L})алаң/iu, use: 'платформа; of a venue, өтетін орны' },
    { pattern: /ұстал[дғып]|ұстау|(?<!\p{L})ұстап/iu, use: 'брондау' },
    { pattern: /болдырылма/i, use: 'болмайды, болмай қалған' },
    { pattern: /қолжетімділік/i, use: 'рұқсат' },
    { pattern: /(?<!\p{L})брондар/iu, use: 'броньдар' },
    { pattern: /лента/i, use: 'таспа' },
    { pattern: /вебхуктер/i, use: 'вебхуктар' },
    { pattern: /жаңалы/i, use: 'хабарлама' },
    { pattern: /сұраныс/i, use: 'сұрау' },
    { pattern: /секрет|құпия(?!сөз| кілт)/i, use: 'құпия кілт' },
    { pattern: /айыппұл/i, use: 'тұрақсыздық айыбы' },
    { pattern: /қарыз|борыш/i, use: 'сальдо, берешек' },
    { pattern: /кіта[пб]/i, use: 'Excel файлы' },
    {
      pattern: /ведомость(т|қ)|ведомост(т|қ)|ведомоста|ведомосқ|ведомостпен/i,
      use: 'ведомость, -сі, -стің, -ске, -сті, -сте, -стен, -спен',
    },
    { pattern: /дүкен/i, use: 'витрина', except: /^landing\.json/ },
    { pattern: /тізімдеме/i, use: 'ведомость' },
    { pattern: /келісімшарт/i, use: 'шарт' },
    { pattern: /шарттар/i, use: 'талаптар' },
    { pattern: /күмәнді (ақша|сома)/i, use: 'тәуекелдегі сома' },
    { pattern: /екінші адам/i, use: 'екінші қызметкер' },
    { pattern: /үміткер/i, use: 'ықтимал тапсырыстар; of rules, жаңа' },
    { pattern: /кіру бақылауы/i, use: 'билет бақылауы' },
    { pattern: /\}-(і|ны|ні|нің)(?!\p{L})/u, use: 'a noun after the value, or the value last' },
    {
      pattern: /\} (дейін|бастап|асса)(?!\p{L})/u,
      use: 'a noun after the value, or the value last',
    },
    {
      pattern: /^(дейін|бастап)(?!\p{L})|уақытқа дейін:?$|бастап:?$/iu,
      use: 'a label that is whole without its value',
    },
  ],
  en: [
    { pattern: /\b(told|tells?)\b/i, use: 'report, notify, state' },
    { pattern: /\banew\b/i, use: 'again' },
    { pattern: /\bbeside\b/i, use: 'with, next to' },
    { pattern: /\bheard\b/i, use: 'received' },
    { pattern: /\bmend\b/i, use: 'correct' },
    { pattern: /\bby the letter\b/i, use: 'stated in the cover letter' },
    { pattern: /\bfor ever\b/i, use: 'permanently' },
    { pattern: /\b(take|takes|taken|took)( \w+){0,3} back\b/i, use: 'withdraw, reverse' },
    { pattern: /\bputs? in force\b/i, use: 'activate' },
    { pattern: /\bcame of\b|\bwork(ed|s)? out\b/i, use: 'the fact' },
    { pattern: /\bforget\b/i, use: 'delete' },
    { pattern: /\bjudg(e|es|ed|ing|ement)\b/i, use: 'assess, match' },
    { pattern: /\bfingerprint\b/i, use: 'hash' },
    { pattern: /\bmemos?\b/i, use: 'correction' },
    {
      pattern: /\bmoney under question\b|\bmoney at risk\b/i,
      use: 'amount at risk',
      except: /^defect_reference|unowned|new_money|case_story|result_NONE/,
    },
    { pattern: /\b(payment|order|event|request|booking|ticket) ids?\b/, use: 'ID' },
    { pattern: /\b(ran|runs?) out\b/i, use: 'expire' },
    { pattern: /\btries\b/i, use: 'attempts' },
    { pattern: /\bnews\b/i, use: 'notification' },
    { pattern: /\bpassport\b|\b(the|of the|a) book\b/i, use: 'workbook' },
  ],
}
