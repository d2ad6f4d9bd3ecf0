import { WORDS, type ColumnKey, type SheetKey, type Words } from '#workbooks/words/words'
import type { Language } from '#shared/languages'

interface FormerNames {
  sheets: Partial<Record<SheetKey, string>>
  columns: Partial<Record<ColumnKey, string>>
}

/** The names of sheets and columns in workbooks of format 3, where they have others now. */
const FORMER_NAMES: Record<Language, FormerNames> = {
  ru: {
    sheets: { defects: 'Дефекты' },
    columns: {
      matchStep: 'Ступень сопоставления',
      candidates: 'Кандидаты',
      paymentId: 'Платёж партнёра',
      originLine: 'Строка в ней',
      codes: 'Коды дефектов',
      status: 'Статус на отсечку',
      windowEndsAt: 'Окно оплаты до (UTC+5)',
      caseId: '№ кейса',
      usedAt: 'Проход (UTC+5)',
      defectId: '№ дефекта',
      severity: 'Критичность',
      isStrictBreach: 'Контрактная проверка (0/1)',
      state: 'Состояние',
      fault: 'Вина',
      occurredAt: 'Возник (UTC+5)',
      foundAt: 'Обнаружен (UTC+5)',
      toDefects: '→ Дефекты',
      commissionBack: 'Комиссия обратно, ₸',
      vatBack: 'НДС обратно, ₸',
      defects: 'Дефектов',
    },
  },
  kk: {
    sheets: { defects: 'Ақаулар', attempts: 'Әрекеттер', act: 'Салыстыру актісі' },
    columns: {
      matchStep: 'Салыстыру сатысы',
      candidates: 'Үміткерлер',
      paymentId: 'Серіктес төлемі',
      originLine: 'Ондағы жол',
      codes: 'Ақау кодтары',
      status: 'Кесу сәтіндегі мәртебе',
      expiredAttempts: 'ORDER_EXPIRED әрекеттері',
      caseId: 'Кейс №',
      voidedAt: 'Жойылды (UTC+5)',
      defectId: 'Ақау №',
      severity: 'Маңыздылығы',
      isStrictBreach: 'Келісімшарт бойынша (0/1)',
      state: 'Күйі',
      fault: 'Кінәлі',
      attempts: 'Әрекет саны',
      toDefects: '→ Ақаулар',
      commissionBack: 'Қайтқан комиссия, ₸',
      vatBack: 'Қайтқан ҚҚС, ₸',
      defects: 'Ақау саны',
    },
  },
  en: {
    sheets: { adjustments: 'Adjustments' },
    columns: {
      candidates: 'Candidates',
      paymentId: "Partner's payment",
      eventId: 'Event id',
      originLine: 'Line there',
      status: 'Status at cut-off',
      windowEndsAt: 'Payment window until (UTC+5)',
      ticketId: 'Ticket id',
      severity: 'Severity',
      isStrictBreach: 'Contract verdict (0/1)',
      state: 'State',
      fault: 'Fault',
      requestId: 'Request id',
      commissionBack: 'Commission back, ₸',
      vatBack: 'VAT back, ₸',
    },
  },
}

/** Columns of codes, which had the headings that the columns of their words have now. */
// prettier-ignore
const CODES = [
  'kind', 'status', 'category', 'cause', 'voidedBy', 'matchStep', 'decision', 'askedBy', 'decidedBy', 'eventStatus',
] as const

/** The words of a workbook of format 3. */
export function formerWords(language: Language): Words {
  const words = WORDS[language]
  const { sheets, columns } = FORMER_NAMES[language]
  const codes = Object.fromEntries(CODES.map((key) => [key, words.columns[`${key}Name`]]))
  return {
    ...words,
    sheets: { ...words.sheets, ...sheets },
    columns: { ...words.columns, ...codes, ...columns },
  }
}
