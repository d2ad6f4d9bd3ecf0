/** The words for operations and their outcomes, in Russian, English and Kazakh. A word has one sense. */
const VOCABULARY = {
  charge: `продажа продажи продаж продан~ оплата оплаты оплат оплачен~ покупка покупки куплен~ платеж платежа платежей списание
    списан~ приход
    sale sold pay paid payment purchase purchased charge charged capture captured debit
    сату сатылды сатып алу төлем төлемі төлеу төленді төленген`,
  refund: `возврат возврата возврате возвраты возвратов рефанд чарджбэк чарджбек
    refund refunds return returns chargeback
    қайтару қайтаруды қайтарудан қайтарым`,
  returned: 'возвращен~ refunded returned қайтарылды қайтарылған',
  reversal: 'сторно сторнирование reversal reversed',
  not_returned: 'қайтарылмады',
  partly: `частично частичный частичная partial partially partly ішінара жартылай`,
  happened: `успех успешно успешен успешный успешная завершен~ проведен~ произведен~ исполнен~ выполнен~ подтвержден~ прошел прошла
    success successful successfully succeeded complete completed approved confirmed settled ok
    сәтті аяқталды орындалды расталды қабылданды өтті`,
  not: 'не not',
  failed: `отклонен~ отклонение отказ отказано отозван~ ошибка неуспешно неуспешный неуспешная неоплачен~
    declined refused rejected denied failed failure error unsuccessful unpaid withdrawn
    сәтсіз қате бас тарту тартылды тоқтатылды қабылданбады төленбеді өтпеді орындалмады`,
  cancelled: `отмена отмену отменен~ аннулирован~ аннулирование cancel cancelled canceled cancellation void voided жойылды`,
  unfinished: `ожидает ожидание ожидается обработка обработке обрабатывается запрос запрошен~ заявка
    pending processing awaiting requested request expired күтуде күтілуде өңделуде сұралды`,
  no_sale: 'создан~ новый черновик холд created new draft hold',
  other_money: 'комиссия комиссии удержание банка выплата выплаты commission fee payout bank',
  ahead: 'на to',
  ticket: 'билет билета билетов ticket tickets',
  filler: `в средств денег деньги заказ заказа операция транзакция
    a the of in order transaction тапсырыс ақша`,
}

export type Sense = keyof typeof VOCABULARY

const SENSES = new Map<string, Sense>(
  Object.entries(VOCABULARY).flatMap(([sense, words]) =>
    words
      .split(/\s+/)
      .flatMap((word) => formsOf(word).map((form) => [form, sense as Sense] as const))
  )
)

/** `оплачен~` stands for оплачен, оплачена, оплачено and оплачены; ё is written as е. */
function formsOf(word: string) {
  return word.endsWith('~') ? ['', 'а', 'о', 'ы'].map((end) => word.slice(0, -1) + end) : [word]
}

/** The sense of each word and number in a text; null for one that is not known. */
export const sensesOf = (text: string): (Sense | null)[] =>
  (
    text
      .toLowerCase()
      .replaceAll('ё', 'е')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => SENSES.get(word) ?? null)
